package dev.leasehold.aws;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How long after its ttl a lease is kept from others, because the clock of S3 has whole seconds. The test shifts that clock. */
@ExtendWith(SharedS3.class)
class S3TakeoverDelayTest {
    private static final Duration TTL = Duration.ofSeconds(30);

    /** The two times that the service gives may differ by a second more than the time between them. */
    private static final Duration ROUNDING = Duration.ofSeconds(1);

    private static final int TRIES = 30;

    private final AtomicReference<Duration> passed = new AtomicReference<>(Duration.ZERO);

    @Test
    void leaseWhoseTtlIsOverIsKeptForTheCoarsenessOfTheClockAndThenGranted() throws InterruptedException {
        try (LeaseStore store = open()) {
            Optional<LeaseName> kept = Optional.empty();
            for (int i = 0; i < TRIES && kept.isEmpty(); i++) {
                kept = keptUntilTheLastMoment(store);
            }
            LeaseName name = kept.orElseThrow(() -> new AssertionError("more than a second has passed in each try"));
            pass(ROUNDING);
            Acquisition after = acquire(store, name, "bob");
            for (int i = 0; i < TRIES && after instanceof Acquisition.Busy; i++) {
                // The Date of a busy service is a little old.
                Thread.sleep(100);
                after = acquire(store, name, "bob");
            }
            assertThat(after).isInstanceOf(Acquisition.Granted.class);
        }
    }

    /** Another holder is refused at the end of the ttl, and a second later. Empty if more time has passed on a busy service. */
    private Optional<LeaseName> keptUntilTheLastMoment(LeaseStore store) {
        LeaseName name = LeaseName.of("job-" + UUID.randomUUID());
        Acquisition.Granted first = (Acquisition.Granted) acquire(store, name, "alice");
        assertThat(first.remaining()).as("what the holder may count on").isLessThanOrEqualTo(TTL);
        pass(TTL);
        Acquisition atTheEnd = acquire(store, name, "bob");
        LeaseSnapshot shown = store.inspect(name).orElseThrow();
        pass(S3LeaseStore.COARSENESS.minus(ROUNDING));
        Acquisition later = acquire(store, name, "bob");
        if (isInTime(first, atTheEnd) || isInTime(first, later)) {
            return Optional.empty();
        }
        assertThat(shown.state()).as("the time that was promised is over").isEqualTo(LeaseSnapshot.State.EXPIRED);
        assertBusy(atTheEnd);
        assertBusy(later);
        return Optional.of(name);
    }

    /** Granted when the whole delay was over by the clock of the service. */
    private static boolean isInTime(Acquisition.Granted first, Acquisition later) {
        return later instanceof Acquisition.Granted next
                && !next.transfer()
                        .at()
                        .isBefore(first.transfer().at().plus(TTL).plus(S3LeaseStore.COARSENESS));
    }

    private static void assertBusy(Acquisition answer) {
        assertThat(answer).isInstanceOf(Acquisition.Busy.class);
        assertThat(((Acquisition.Busy) answer).remaining()).isBetween(Duration.ofMillis(1), S3LeaseStore.COARSENESS);
    }

    private LeaseStore open() {
        S3Client client = SharedS3.client("leases/delay-" + UUID.randomUUID());
        return S3LeaseStore.over(client, new S3Register(client, passed::get), true);
    }

    private void pass(Duration duration) {
        passed.updateAndGet(duration::plus);
    }

    private static Acquisition acquire(LeaseStore store, LeaseName name, String holder) {
        return store.acquire(name, AttemptId.of(UUID.randomUUID().toString()), Holder.of(holder), TTL);
    }
}
