package dev.leasehold.git;

import dev.leasehold.model.FenceState;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.git.RemoteFence.Seen;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One try to move a fence from where it was seen, and with it what is pushed, if anything is. */
final class FenceMove {
    private final RemoteFence fence;
    private final Grant grant;
    private final Seen from;
    private final FenceCommit next;
    private final @Nullable ResolvedPush push;
    private String words = "";
    private List<String> remarks = List.of();

    FenceMove(RemoteFence fence, Grant grant, Seen from, FenceState state, @Nullable ResolvedPush push) {
        this.fence = fence;
        this.grant = grant;
        this.from = from;
        this.next = fence.follow(from.commit(), state);
        this.push = push;
    }

    /** What came of it. In every case it is certain; where it cannot be made certain, there is an exception. */
    enum Outcome {
        LANDED,
        /** Somebody else moved the fence first: this can never land, and the grant is to be judged anew. */
        TOO_LATE,
        /** It did not land for a reason that has nothing to do with the fence. */
        REJECTED
    }

    Outcome make() {
        PushReport report = push == null
                ? fence.move(from.ref(), from.commit(), next)
                : fence.move(from.ref(), from.commit(), next, push.refspecs());
        words = fence.remote().hideSecretsIn(report.words());
        if (report.moved(from.ref())) {
            remarks = report.remarks();
            return Outcome.LANDED;
        }
        return report.refused() ? refused(report) : noAnswer(report);
    }

    /** The fence after this landed. */
    Seen landed() {
        return new Seen(from.ref(), next);
    }

    /** Why it was rejected. */
    Admission.Rejected rejection() {
        return new Admission.Rejected(grant, words);
    }

    /** What the server had to say although it agreed. */
    List<String> remarks() {
        return remarks;
    }

    /** It did not land and never will. What is left to tell is whether the fence or a branch was the reason. */
    private Outcome refused(PushReport report) {
        if (report.decidedHere()) {
            return Outcome.REJECTED;
        }
        boolean fenceMoved =
                report.lostARace() || fence.look(from).filter(from::equals).isEmpty();
        return fenceMoved ? Outcome.TOO_LATE : Outcome.REJECTED;
    }

    /** Whatever became of it, the history of the fence knows. */
    private Outcome noAnswer(PushReport report) {
        Optional<Seen> now = lookAgain();
        if (isIn(now)) {
            return Outcome.LANDED;
        }
        return now.filter(from::equals).isPresent() ? settle(report) : Outcome.TOO_LATE;
    }

    /**
     * It is not there, but may still be on its way. A step of the fence alone settles that: what expects the fence before it
     * cannot land any more.
     */
    private Outcome settle(PushReport report) {
        if (push == null) {
            throw new TargetUnavailableException(fence.remote().shown() + ": the fence was not raised: " + words);
        }
        FenceMove step = new FenceMove(fence, grant, from, from.commit().state(), null);
        Outcome settled;
        try {
            settled = step.make();
        } catch (TargetUnavailableException e) {
            throw new TargetUnavailableException(notSoFar(), e);
        }
        if (settled == Outcome.TOO_LATE) {
            return isIn(lookAgain()) ? Outcome.LANDED : Outcome.TOO_LATE;
        }
        if (settled == Outcome.REJECTED) {
            throw new TargetUnavailableException(notSoFar());
        }
        // Git ends with 1 where it or a hook of the user does not want to push, and with more where it could not.
        if (report.code() == 1) {
            return Outcome.REJECTED;
        }
        // A server moves the refs of a push one after the other: see ADR 13 for one that dies in between.
        throw new TargetUnavailableException(
                fence.remote().shown() + ": nothing was pushed, unless the server died in the middle of it: " + words);
    }

    private String notSoFar() {
        return fence.remote().shown() + ": the push has not landed so far: " + words;
    }

    private boolean isIn(Optional<Seen> now) {
        return now.isPresent() && fence.contains(now.get(), next.id());
    }

    private Optional<Seen> lookAgain() {
        try {
            return fence.lookAtHistory();
        } catch (TargetUnavailableException e) {
            throw new TargetUnavailableException(
                    fence.remote().shown() + ": whether it landed is unknown (" + words
                            + "), and the fence cannot be asked. Push again: what landed is not pushed twice",
                    e);
        }
    }
}
