package dev.leasehold.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leases;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreId;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.testkit.ManualContext;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The grant in a header. */
class GrantHeaderTest {
    private static final Grant LONGEST = new Grant(
            LeaseName.of("n._:/@-9".repeat(25)),
            FencingToken.of(Long.MAX_VALUE),
            AttemptId.of("a_-7".repeat(16)),
            StoreId.of("s_-7".repeat(16)));

    private static HttpRequest.Builder request() {
        return HttpRequest.newBuilder(URI.create("http://localhost/ledger"));
    }

    @Test
    void theLongestGrantArrivesAsItWasSent() {
        HttpRequest sent = GrantHeader.on(request(), LONGEST).build();

        assertThat(sent.headers().allValues("leasehold-grant")).containsExactly(LONGEST.encode());
        assertThat(GrantHeader.parse(LONGEST.encode())).isEqualTo(LONGEST);
    }

    @Test
    void aLeaseThatIsLostIsNotShown() {
        ManualContext manual = new ManualContext();
        MemoryLeaseStore store = new MemoryLeaseStore(StoreId.of("store-of-the-test"), manual.clock());
        try (Leases leases = Leases.over(store).context(manual.context()).build()) {
            Lease lease = leases.tryAcquire("ledger").lease().orElseThrow();
            HttpRequest sent = GrantHeader.on(request(), lease).build();
            assertThat(sent.headers().firstValue(GrantHeader.NAME))
                    .hasValue(lease.grant().encode());

            manual.freeze(Duration.ofMinutes(10));
            assertThatThrownBy(() -> GrantHeader.on(request(), lease)).isInstanceOf(LeaseLostException.class);
        }
    }

    @Test
    void aTokenAloneIsNoGrantForAService() {
        Grant bare = Grant.bare(LeaseName.of("ledger"), FencingToken.of(7));

        assertThatThrownBy(() -> GrantHeader.on(request(), bare)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> GrantHeader.parse(bare.encode())).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "7",
                "lh1",
                "lh1;;;;",
                "lh2;7;attempt-1;store-id-1;ledger",
                "LH1;7;attempt-1;store-id-1;ledger",
                "lh1;+7;attempt-1;store-id-1;ledger",
                "lh1;07;attempt-1;store-id-1;ledger",
                "lh1;0;attempt-1;store-id-1;ledger",
                "lh1;-7;attempt-1;store-id-1;ledger",
                "lh1;\u0667;attempt-1;store-id-1;ledger",
                "lh1;9223372036854775808;attempt-1;store-id-1;ledger",
                "lh1;7;;store-id-1;ledger",
                "lh1;7;attempt-1;;ledger",
                "lh1;7;attempt-1;store-id-1;",
                "lh1;7;attempt-1;store-id-1;ledger;",
                "lh1;7;attempt-1;store-id-1;led ger",
                "lh1;7;attempt-1;store-id-1;led\u00e4er",
                "lh1;7;attempt-1;store-id-1;ledger\u0000",
                "lh1;7;attempt-1;store-id-1;ledger, lh1;8;attempt-1;store-id-1;ledger"
            })
    void whatIsNotExactlyAGrantIsRefused(String value) {
        assertThatThrownBy(() -> GrantHeader.parse(value)).isInstanceOf(IllegalArgumentException.class);
    }
}
