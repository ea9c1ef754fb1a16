package dev.leasehold.git;

import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.FenceState;
import dev.leasehold.model.Grant;
import java.util.function.Consumer;

/**
 * Creates the fence of a lease in a repository: under {@code refs/leasehold/}, or as a branch if
 * the host accepts only branches.
 *
 * <p>The push that creates the fence contains nothing else. Its writer then reads both refs again,
 * and uses the fence only if the other ref does not exist; a writer that finds both refs stops. So
 * if the host allows the first ref to one of two writers only, the one that comes second sees the
 * fence of the first, and no writer pushes under a fence that another writer does not check.
 */
final class FenceCreator {
    private final RemoteFence fence;
    private final Consumer<String> notices;

    FenceCreator(RemoteFence fence, Consumer<String> notices) {
        this.fence = fence;
        this.notices = notices;
    }

    /** Afterwards the fence exists; another writer may have created it. */
    void create(Grant grant) {
        FenceState state = FenceState.first(grant).withId(new SystemIds().unique());
        FenceCommit first = fence.newCommit(null, state);
        String primary = fence.refs().primary();
        PushReport report = fence.push(primary, null, first);
        if (report.moved(primary) || fence.readWithHistory().isPresent()) {
            return;
        }
        if (!report.refusedByPolicy(primary)) {
            throw failed(report);
        }
        String fallback = fence.refs().fallback();
        PushReport second = fence.push(fallback, null, first);
        if (second.moved(fallback)) {
            notices.accept(fence.remote().shown() + " refuses " + primary + ": its fence is the branch "
                    + fallback.substring("refs/heads/".length()) + " from now on, for all writers");
        } else if (fence.readWithHistory().isEmpty()) {
            throw new TargetUnavailableException(fence.remote().shown() + " accepts neither " + primary + " nor "
                    + fallback + ", so it cannot be fenced and nothing was pushed: "
                    + fence.remote().hideSecretsIn(report.reason() + "; " + second.reason()));
        }
    }

    private TargetUnavailableException failed(PushReport report) {
        String words = fence.remote().hideSecretsIn(report.reason());
        String advice = words.contains("--atomic")
                ? ". Without atomic pushes, part of a stale push could land, so this remote cannot be fenced"
                : "";
        return new TargetUnavailableException(
                fence.remote().shown() + ": the fence could not be created, nothing was pushed: " + words + advice);
    }
}
