package dev.leasehold.store;

import dev.leasehold.spi.RenewRequest;
import java.time.Duration;
import java.util.List;

/**
 * How long locked names may delay a renewal: a fifth of the shortest ttl that was ever renewed
 * here. A holder renews all its leases on one thread, every third of their ttl, so leases that
 * are not locked are still renewed in time. A renewal by zero only asks, and has nothing to be in time for.
 */
final class RenewalPatience {
    private static final Duration MOST = Duration.ofSeconds(1);

    /** For those that only ask. */
    private final Duration asking;

    private Duration shortest = MOST;

    RenewalPatience(Duration asking) {
        this.asking = asking;
    }

    synchronized Duration with(List<RenewRequest> requests) {
        boolean renews = false;
        for (RenewRequest request : requests) {
            if (!request.ttl().isZero()) {
                renews = true;
                Duration part = request.ttl().dividedBy(5);
                shortest = part.compareTo(shortest) < 0 ? part : shortest;
            }
        }
        return renews ? shortest : asking;
    }
}
