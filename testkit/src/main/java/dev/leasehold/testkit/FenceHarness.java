package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Fence;
import dev.leasehold.model.Admission;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreId;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;

/** What both parts of the fence's contract share. */
abstract class FenceHarness<W> {
    protected static final LeaseName NAME = LeaseName.of("nightly/report");
    protected static final StoreId STORE = StoreId.of("store-of-the-contract");

    protected Fence<W> fence;

    protected abstract Fence<W> openFence();

    protected abstract W write(String content);

    protected abstract Optional<String> read();

    @BeforeEach
    protected void openFirstClient() {
        fence = openFence();
    }

    /** The one grant that a working store issues with this token. */
    protected static Grant grant(long token) {
        return grant(token, "attempt-of-" + token);
    }

    protected static Grant grant(long token, String attempt) {
        return new Grant(NAME, FencingToken.of(token), AttemptId.of(attempt), STORE);
    }

    protected static Grant bare(long token) {
        return Grant.bare(NAME, FencingToken.of(token));
    }

    protected final void assertContent(String content) {
        assertThat(read()).contains(content);
    }

    protected static void assertAdmitted(Admission admission, long token) {
        assertThat(admission).isEqualTo(new Admission.Admitted(FencingToken.of(token)));
    }

    protected static void assertStale(Admission admission, long raised) {
        assertThat(admission).isInstanceOf(Admission.Stale.class);
        assertThat(((Admission.Stale) admission).raised().value()).isEqualTo(raised);
    }
}
