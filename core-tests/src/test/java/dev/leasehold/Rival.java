package dev.leasehold;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.Note;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;

/**
 * Another process that wants the same lease. It reaches the store without the faults of the
 * holder's network.
 */
public final class Rival {
    private static final Holder NAME = Holder.of("rival");

    private final LeaseStore store;
    private int attempts;

    Rival(LeaseStore store) {
        this.store = store;
    }

    Acquisition acquires(Duration ttl) {
        return store.acquire(EngineFixture.JOB, attempt(), NAME, ttl);
    }

    public Acquisition takesOver() {
        return store.intervene(Intervention.takeover(
                EngineFixture.JOB, attempt(), NAME, EngineFixture.TERMS.ttl(), Note.of("because")));
    }

    private AttemptId attempt() {
        attempts++;
        return AttemptId.of("rival-attempt-" + attempts);
    }
}
