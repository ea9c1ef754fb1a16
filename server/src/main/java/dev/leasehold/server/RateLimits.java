package dev.leasehold.server;

import java.util.HashMap;
import java.util.Map;

/** Limits how many calls each client makes in a second. A client that was quiet may make some more at once. */
final class RateLimits {
    private static final int MOST_REMEMBERED = 10_000;

    private final double perSecond;
    private final double most;
    private final Map<String, Allowance> allowances = new HashMap<>();

    /** What a client may still do at once. */
    private static final class Allowance {
        private double left;
        private long at;
    }

    /** @param perSecond calls of one client; it may make twice as many at once */
    RateLimits(int perSecond) {
        this.perSecond = perSecond;
        this.most = 2.0 * perSecond;
    }

    /** Counts a call. False if it is one too many. */
    synchronized boolean allows(String client, long nanos) {
        Allowance allowance = allowances.get(client);
        if (allowance == null) {
            if (allowances.size() >= MOST_REMEMBERED) {
                // Whoever changes its name that often is limited by other means.
                allowances.clear();
            }
            allowance = new Allowance();
            allowance.left = most;
            allowance.at = nanos;
            allowances.put(client, allowance);
        }
        allowance.left = Math.min(most, allowance.left + perSecond * (nanos - allowance.at) / 1e9);
        allowance.at = nanos;
        if (allowance.left < 1) {
            return false;
        }
        allowance.left--;
        return true;
    }
}
