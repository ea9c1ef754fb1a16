package dev.leasehold.client.message;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The targets of a lease that its store remembers, the last raised first. */
public record TargetsAnswer(@Required List<TargetPart> targets) {
    /**
     * A target that was raised for a lease.
     *
     * @param place an absolute path, or the URL of a git remote without its password
     * @param host which raised it; a path may mean another file on another host
     * @param fence the id of its fence, if it has one
     * @param raised the highest token to which it was raised
     */
    public record TargetPart(
            @Required String place,
            @Required String host,
            @Nullable String fence,
            @Required long raised,
            @Required Instant at) {}
}
