package dev.leasehold.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreId;
import dev.leasehold.spi.Intervention;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.testkit.ManualContext;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KeptLeasesTest {
    private static final Duration LONGEST = Duration.ofMinutes(30);

    private final ManualContext time = new ManualContext();
    private final MemoryLeaseStore store = new MemoryLeaseStore(StoreId.of("store-0001"), time.clock());
    private McpService service;
    private Agent agent;

    @BeforeEach
    void start() throws IOException {
        service = McpService.over(store)
                .context(time.context())
                .keepAlive(LONGEST)
                .build();
        agent = new Agent(service);
    }

    @AfterEach
    void stop() {
        service.close();
        store.close();
    }

    private LeaseSnapshot.State state(String name) {
        return store.inspect(LeaseName.of(name)).orElseThrow().state();
    }

    private Map<String, Object> keep(String name) {
        Map<String, Object> kept = agent.call("lease_acquire", "name", name, "keep_alive", true);
        assertThat(kept)
                .containsEntry("outcome", "granted")
                .containsEntry("ttl_seconds", 90L)
                .containsEntry("kept_alive_ms", LONGEST.toMillis());
        return kept;
    }

    @Test
    void itIsRenewedForAsLongAsStatedAndNoLonger() {
        keep("job");
        time.advance(LONGEST.minusSeconds(1));
        assertThat(state("job")).isEqualTo(LeaseSnapshot.State.HELD);
        time.advance(Duration.ofSeconds(2));
        assertThat(service.keptAlive()).isZero();
        time.advance(Duration.ofSeconds(90));
        assertThat(state("job")).isEqualTo(LeaseSnapshot.State.EXPIRED);
    }

    /** A repeated call must not begin the time again, or it would have no end. */
    @Test
    void aRepeatedCallDoesNotProlongIt() {
        agent.call("lease_acquire", "name", "job", "keep_alive", true, "attempt", "attempt-0001");
        time.advance(LONGEST.minusSeconds(10));
        agent.call("lease_acquire", "name", "job", "keep_alive", true, "attempt", "attempt-0001");
        assertThat(service.keptAlive()).isEqualTo(1);
        time.advance(Duration.ofMinutes(3));
        assertThat(state("job")).isEqualTo(LeaseSnapshot.State.EXPIRED);
    }

    @Test
    void withoutKeepAliveItExpires() {
        agent.acquire("job");
        time.advance(Duration.ofSeconds(601));
        assertThat(state("job")).isEqualTo(LeaseSnapshot.State.EXPIRED);
    }

    @Test
    void theEndOfTheConnectionReleasesWhatItKeeps() {
        keep("kept");
        agent.acquire("other");
        service.close();
        assertThat(state("kept")).isEqualTo(LeaseSnapshot.State.RELEASED);
        assertThat(state("other")).isEqualTo(LeaseSnapshot.State.HELD);
    }

    @Test
    void aReleaseEndsTheRenewals() {
        Map<String, Object> kept = keep("job");
        agent.call("lease_release", "handle", kept.get("handle"));
        assertThat(service.keptAlive()).isZero();
        time.advance(Duration.ofMinutes(5));
        assertThat(state("job")).isEqualTo(LeaseSnapshot.State.RELEASED);
    }

    @Test
    void aTakeoverEndsTheRenewals() {
        keep("job");
        store.intervene(Intervention.takeover(
                LeaseName.of("job"),
                AttemptId.of("takeover-1"),
                Holder.of("bob"),
                Duration.ofMinutes(10),
                Note.of("reassigned")));
        time.advance(Duration.ofMinutes(1));
        assertThat(service.keptAlive()).isZero();
        service.close();
        assertThat(state("job")).isEqualTo(LeaseSnapshot.State.HELD);
    }

    /** A machine that slept must not renew what others could have acquired meanwhile. */
    @Test
    void afterALongPauseItIsLost() {
        keep("job");
        time.freeze(Duration.ofMinutes(5));
        assertThat(service.keptAlive()).isZero();
        assertThat(state("job")).isEqualTo(LeaseSnapshot.State.EXPIRED);
    }

    @Test
    void oneConnectionKeepsAHundred() {
        for (int i = 0; i < 100; i++) {
            keep("job-" + i);
        }
        Map<String, Object> refused = agent.call("lease_acquire", "name", "one-more", "keep_alive", true);
        assertThat(refused).containsEntry("outcome", "invalid");
        assertThat(store.inspect(LeaseName.of("one-more"))).isEmpty();
        assertThat(agent.acquire("one-more")).isNotEmpty();
    }
}
