package dev.leasehold.git;

import dev.leasehold.model.FenceState;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Grant;
import java.util.function.Consumer;

/**
 * Gives a lease its first fence in a repository: at its place, or as a branch where the host accepts nothing else.
 *
 * <p>It is made without pushing anything else. Whoever made it looks again, and uses it only if the other place is empty
 * then; whoever finds both refuses to go on. So of two writers of whom the host lets only one use the first place, the
 * second to make a fence always sees the first one's, and nobody pushes under a fence that others do not look at.
 */
final class FenceBirth {
    private final RemoteFence fence;
    private final Consumer<String> notices;

    FenceBirth(RemoteFence fence, Consumer<String> notices) {
        this.fence = fence;
        this.notices = notices;
    }

    /** Afterwards there is a fence, if only because somebody else was faster. */
    void give(Grant grant) {
        FenceCommit first = fence.follow(null, FenceState.first(grant));
        String primary = fence.refs().primary();
        PushReport report = fence.move(primary, null, first);
        if (report.moved(primary) || fence.lookAtHistory().isPresent()) {
            return;
        }
        if (!report.refusedByPolicy(primary)) {
            throw failed(report);
        }
        String fallback = fence.refs().fallback();
        PushReport second = fence.move(fallback, null, first);
        if (second.moved(fallback)) {
            notices.accept(fence.remote().shown() + " refuses " + primary + ": its fence is the branch "
                    + fallback.substring("refs/heads/".length()) + " from now on, for everybody");
        } else if (fence.lookAtHistory().isEmpty()) {
            throw new TargetUnavailableException(fence.remote().shown() + " accepts neither " + primary + " nor "
                    + fallback + ", so it cannot be fenced and nothing was pushed: "
                    + fence.remote().hideSecretsIn(report.words() + "; " + second.words()));
        }
    }

    private TargetUnavailableException failed(PushReport report) {
        String words = fence.remote().hideSecretsIn(report.words());
        String advice = words.contains("--atomic")
                ? ". Without atomic pushes a stale one could land half, so it cannot be fenced"
                : "";
        return new TargetUnavailableException(
                fence.remote().shown() + ": the fence could not be made, nothing was pushed: " + words + advice);
    }
}
