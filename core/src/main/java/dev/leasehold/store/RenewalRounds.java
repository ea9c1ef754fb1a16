package dev.leasehold.store;

import dev.leasehold.internal.disk.SlotFile;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.RenewRequest;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * Renews many names of which some may be locked, perhaps by a process that stands still: none of them waits for another.
 * First all are tried without waiting. Those that were locked are then tried in rounds, each a little more patiently, and
 * what is still locked when the time is over is unknown.
 *
 * <p>The time is short, and one for all of them together: a holder renews its other leases in the thread that waits here.
 */
final class RenewalRounds {
    private static final Duration LONGEST = Duration.ofMillis(250);
    private static final long FIRST_WAIT_NANOS = 1_000_000;

    /** One try. */
    @FunctionalInterface
    interface Renewing {
        Renewal renew(RenewRequest request, Duration wait) throws SlotFile.LockedException;
    }

    private final List<RenewRequest> requests;
    private final Renewing renewing;
    private final Renewal[] results;
    private final boolean[] locked;

    RenewalRounds(List<RenewRequest> requests, Renewing renewing) {
        this.requests = requests;
        this.renewing = renewing;
        this.results = new Renewal[requests.size()];
        this.locked = new boolean[requests.size()];
        Arrays.fill(locked, true);
    }

    List<Renewal> run() {
        long deadline = System.nanoTime() + patience().toNanos();
        boolean more = round(0, deadline);
        for (long wait = FIRST_WAIT_NANOS; more && System.nanoTime() - deadline < 0; wait *= 2) {
            more = round(wait, deadline);
        }
        return List.of(results);
    }

    /** False if none is left. */
    private boolean round(long waitNanos, long deadline) {
        boolean more = false;
        for (int i = 0; i < results.length; i++) {
            if (locked[i]) {
                long left = Math.max(0, deadline - System.nanoTime());
                tryOne(i, Duration.ofNanos(Math.min(waitNanos, left)));
                more |= locked[i];
            }
        }
        return more;
    }

    private void tryOne(int i, Duration wait) {
        locked[i] = false;
        try {
            results[i] = renewing.renew(requests.get(i), wait);
        } catch (SlotFile.LockedException e) {
            locked[i] = true;
            results[i] = new Renewal.Unknown(String.valueOf(e.getMessage()));
        } catch (StoreUnavailableException | StoreCorruptException e) {
            // One name that is damaged must not cost its owner the others.
            results[i] = new Renewal.Unknown(String.valueOf(e.getMessage()));
        }
    }

    /** A twentieth of the shortest ttl: a lease is renewed at every third of it. */
    private Duration patience() {
        Duration patience = LONGEST;
        for (RenewRequest request : requests) {
            Duration part = request.ttl().dividedBy(20);
            patience = part.compareTo(patience) < 0 ? part : patience;
        }
        return patience;
    }
}
