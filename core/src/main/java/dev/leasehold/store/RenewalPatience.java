package dev.leasehold.store;

import dev.leasehold.spi.RenewRequest;
import java.time.Duration;
import java.util.List;

/**
 * How long locked names may delay a renewal: a fifth of the shortest ttl that was ever renewed
 * here. A holder renews all its leases on one thread, every third of their ttl, so leases that
 * are not locked are still renewed in time.
 */
final class RenewalPatience {
    private Duration shortest = Duration.ofSeconds(1);

    synchronized Duration with(List<RenewRequest> requests) {
        for (RenewRequest request : requests) {
            Duration part = request.ttl().dividedBy(5);
            shortest = part.compareTo(shortest) < 0 ? part : shortest;
        }
        return shortest;
    }
}
