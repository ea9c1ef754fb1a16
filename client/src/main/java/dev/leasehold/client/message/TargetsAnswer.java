package dev.leasehold.client.message;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Targets that the store remembers, by the name of their lease; those of a lease, the last raised first.
 *
 * @param next the value of {@code after} for the next page; null on the last one
 * @param damaged what is wrong with the records that cannot be read; null if there are none
 */
public record TargetsAnswer(@Required List<TargetPart> targets, @Nullable String next, @Nullable List<String> damaged) {
    /**
     * A target that was raised for a lease.
     *
     * @param name of the lease
     * @param place an absolute path, or the URL of a git remote without its password
     * @param host which raised it; a path may mean another file on another host
     * @param fence the id of its fence, if it has one
     * @param raised the highest token to which it was raised
     * @param holder who had that token; null if the store no longer knows
     * @param changedOutside when a run last noticed that another program had changed it
     */
    public record TargetPart(
            @Required String name,
            @Required String place,
            @Required String host,
            @Nullable String fence,
            @Required long raised,
            @Nullable String holder,
            @Required Instant at,
            @Nullable Instant changedOutside) {}
}
