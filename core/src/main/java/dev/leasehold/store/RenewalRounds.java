package dev.leasehold.store;

import dev.leasehold.internal.disk.TwoCopyFile;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.RenewRequest;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * Renews many names, some of which may be locked, for example by a stopped process. A locked name
 * does not delay the others: first all names are tried without waiting, then the locked ones in
 * rounds with growing waits. The outcome of a name that stays locked is unknown.
 */
final class RenewalRounds {
    private static final long FIRST_WAIT_NANOS = 1_000_000;

    /** One try. */
    @FunctionalInterface
    interface Renewing {
        Renewal renew(RenewRequest request, Duration wait) throws TwoCopyFile.LockedException;
    }

    private final List<RenewRequest> requests;
    private final Renewing renewing;
    private final Renewal[] results;
    private final boolean[] locked;
    private final long deadline;
    private int left;

    /** @param patience the limit for all names together */
    RenewalRounds(List<RenewRequest> requests, Renewing renewing, Duration patience) {
        this.deadline = System.nanoTime() + patience.toNanos();
        this.left = requests.size();
        this.requests = requests;
        this.renewing = renewing;
        this.results = new Renewal[requests.size()];
        this.locked = new boolean[requests.size()];
        Arrays.fill(locked, true);
    }

    List<Renewal> run() {
        round(0);
        for (long wait = FIRST_WAIT_NANOS; left > 0 && remaining() > 0; wait *= 2) {
            // The last name waits in one go, so that it keeps its place in the queue for the lock.
            round(left == 1 ? remaining() : wait);
        }
        return List.of(results);
    }

    private void round(long waitNanos) {
        for (int i = 0; i < results.length; i++) {
            if (locked[i]) {
                tryOne(i, Duration.ofNanos(Math.min(waitNanos, remaining())));
            }
        }
    }

    private long remaining() {
        return Math.max(0, deadline - System.nanoTime());
    }

    private void tryOne(int i, Duration wait) {
        try {
            results[i] = renewing.renew(requests.get(i), wait);
        } catch (StoreUnavailableException | StoreCorruptException e) {
            // A damaged record must not make the renewals of other names fail.
            results[i] = new Renewal.Unknown(String.valueOf(e.getMessage()));
        } catch (TwoCopyFile.LockedException e) {
            results[i] = new Renewal.Unknown(String.valueOf(e.getMessage()));
            return;
        }
        locked[i] = false;
        left--;
    }
}
