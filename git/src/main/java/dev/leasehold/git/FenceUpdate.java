package dev.leasehold.git;

import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.git.RemoteFence.Tip;
import dev.leasehold.model.Admission;
import dev.leasehold.model.FenceState;
import dev.leasehold.model.Grant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to move a fence from its known tip to the next commit, together with the branches of
 * a push, if any.
 */
final class FenceUpdate {
    private final RemoteFence fence;
    private final Grant grant;
    private final Tip from;
    private final FenceCommit next;
    private final @Nullable ResolvedPush push;
    private String reason = "";
    private List<String> serverMessages = List.of();

    FenceUpdate(RemoteFence fence, Grant grant, Tip from, FenceState state, @Nullable ResolvedPush push) {
        this.fence = fence;
        this.grant = grant;
        this.from = from;
        this.next = fence.newCommit(from.commit(), state);
        this.push = push;
    }

    /**
     * The result of the attempt. Each value is certain; {@link #send} throws if it cannot find out.
     */
    enum Outcome {
        LANDED,
        /**
         * Another writer moved the fence first. This update can never land; judge the grant again.
         */
        TOO_LATE,
        /** The update did not land, for a reason that has nothing to do with the fence. */
        REJECTED
    }

    Outcome send() {
        PushReport report = push == null
                ? fence.push(from.ref(), from.commit(), next)
                : fence.push(from.ref(), from.commit(), next, push.refspecs());
        reason = fence.remote().hideSecretsIn(report.reason());
        if (report.moved(from.ref())) {
            serverMessages = report.serverMessages();
            return Outcome.LANDED;
        }
        return report.refused() ? refused(report) : noAnswer(report);
    }

    /** The tip of the fence after this update landed. */
    Tip landed() {
        return new Tip(from.ref(), next);
    }

    Admission.Rejected rejection() {
        return new Admission.Rejected(grant, reason);
    }

    /** What the server printed although it accepted the push. */
    List<String> serverMessages() {
        return serverMessages;
    }

    /**
     * The update did not land and never will. Finds out whether the fence or a branch
     * was the reason.
     */
    private Outcome refused(PushReport report) {
        if (report.rejectedLocally()) {
            return Outcome.REJECTED;
        }
        boolean fenceMoved =
                report.lostARace() || fence.read(from).filter(from::equals).isEmpty();
        return fenceMoved ? Outcome.TOO_LATE : Outcome.REJECTED;
    }

    /** The push got no answer. If it landed, its commit is in the history of the fence. */
    private Outcome noAnswer(PushReport report) {
        Optional<Tip> now = readAgain();
        if (containsUpdate(now)) {
            return Outcome.LANDED;
        }
        return now.filter(from::equals).isPresent() ? blockAndReport(report) : Outcome.TOO_LATE;
    }

    /**
     * The update has not landed but may still be in flight. Moving the fence alone blocks it: an
     * update that expects the old tip can no longer land.
     */
    private Outcome blockAndReport(PushReport report) {
        if (push == null) {
            throw new TargetUnavailableException(fence.remote().shown() + ": the fence was not raised: " + reason);
        }
        FenceUpdate block = new FenceUpdate(fence, grant, from, from.commit().state(), null);
        Outcome blocked;
        try {
            blocked = block.send();
        } catch (TargetUnavailableException e) {
            throw new TargetUnavailableException(notLandedYet(), e);
        }
        if (blocked == Outcome.TOO_LATE) {
            return containsUpdate(readAgain()) ? Outcome.LANDED : Outcome.TOO_LATE;
        }
        if (blocked == Outcome.REJECTED) {
            throw new TargetUnavailableException(notLandedYet());
        }
        // Git exits with 1 if git itself or a hook of the user declined the push, and with more if
        // the push failed.
        if (report.code() == 1) {
            return Outcome.REJECTED;
        }
        // A server moves the refs of a push one after the other; ADR 13 covers a server that dies
        // in between.
        throw new TargetUnavailableException(
                fence.remote().shown() + ": nothing was pushed, unless the server died half-way: " + reason);
    }

    private String notLandedYet() {
        return fence.remote().shown() + ": the push has not landed yet: " + reason;
    }

    private boolean containsUpdate(Optional<Tip> now) {
        return now.isPresent() && fence.contains(now.get(), next.id());
    }

    private Optional<Tip> readAgain() {
        try {
            return fence.readWithHistory();
        } catch (TargetUnavailableException e) {
            throw new TargetUnavailableException(
                    fence.remote().shown() + ": whether it landed is unknown (" + reason
                            + "), and the fence cannot be read. Push again: a push that landed is not repeated",
                    e);
        }
    }
}
