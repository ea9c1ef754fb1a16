package dev.leasehold.internal;

import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.Ids;
import dev.leasehold.spi.Timers;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Repeats a compare-and-set step that loses races against other writers: a bounded number of times,
 * with random pauses that grow, so that writers that collided do not collide again.
 */
public final class Contention {
    private static final int MAX_TRIES = 64;
    private static final long PAUSE_NANOS = 200_000;
    private static final Contention SYSTEM = new Contention(new SystemTimers(), new SystemIds(), 2);

    private final Timers timers;
    private final Ids ids;
    private final int triesWithoutPause;

    public Contention(Timers timers, Ids ids) {
        this(timers, ids, 0);
    }

    private Contention(Timers timers, Ids ids, int triesWithoutPause) {
        this.timers = timers;
        this.ids = ids;
        this.triesWithoutPause = triesWithoutPause;
    }

    /**
     * Pauses in real time, and only after several lost races in a row. A simulated run, which must
     * not wait for real time, hardly ever gets that far.
     */
    public static Contention system() {
        return SYSTEM;
    }

    /**
     * Runs the step until it returns an answer.
     *
     * @param what the record that the writers compete for, for the message
     * @param step reads, decides and writes; empty if another writer was faster and nothing was
     *     changed
     * @throws StoreUnavailableException if other writers were faster every time
     */
    public <T> T resolve(String what, Supplier<Optional<T>> step) {
        for (int tries = 1; tries <= MAX_TRIES; tries++) {
            Optional<T> answer = step.get();
            if (answer.isPresent()) {
                return answer.get();
            }
            if (tries > triesWithoutPause) {
                pause(tries);
            }
        }
        throw new StoreUnavailableException("too many writers compete for " + what + ": gave up after " + MAX_TRIES
                + " lost races; nothing was changed, try again");
    }

    private void pause(int tries) {
        try {
            timers.sleep(Duration.ofNanos(1000 * ids.below(PAUSE_NANOS / 1000 * tries)));
        } catch (InterruptedException e) {
            // The next try comes without a pause. The caller finds the flag when the step is done.
            Thread.currentThread().interrupt();
        }
    }
}
