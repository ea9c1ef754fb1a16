package dev.leasehold.cli.targets;

import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.fence.FenceDetails;
import dev.leasehold.fence.FencedPath;
import dev.leasehold.model.FenceState;
import dev.leasehold.model.LeaseName;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The fence of a target, as it was read.
 *
 * @param details what only the fence of a target on a disk remembers; null for a git remote
 * @param changed a warning if another program changed the file since the last step through the
 *     fence
 */
record KnownFence(FenceState state, @Nullable FenceDetails details, @Nullable String changed) {
    /**
     * Reads the fence; null if the target has none.
     *
     * @param name the lease that the user named, if any
     */
    static @Nullable KnownFence of(TargetOption target, @Nullable LeaseName name, Invocation invocation) {
        Path path = target.path();
        if (path == null) {
            if (name == null) {
                throw new UsageException(
                        target + " is a git remote, which has a fence for each lease: name the lease" + " with --name");
            }
            return target.state(name, invocation)
                    .map(state -> new KnownFence(state, null, null))
                    .orElse(null);
        }
        FencedPath fence = FencedPath.at(path);
        FenceDetails details = fence.details().orElse(null);
        if (details == null) {
            return null;
        }
        FenceState state = details.state();
        if (name != null && !name.equals(state.name())) {
            throw new UsageException(target + " is guarded by lease " + state.name() + ", not by " + name);
        }
        return new KnownFence(state, details, fence.changedOutside().orElse(null));
    }
}
