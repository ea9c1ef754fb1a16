package dev.leasehold.fence;

import dev.leasehold.internal.Contention;
import dev.leasehold.model.Admission;
import dev.leasehold.model.FenceDecision;
import dev.leasehold.model.FenceState;
import dev.leasehold.model.Grant;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A fence of a target that can replace its content and the state of its fence in one step, on the condition
 * that both are unchanged. A subclass reads the state and makes that step; the judgement is here.
 *
 * <p>Safe for use by many threads and processes if the subclass is. It does not stop a program that writes
 * the target without asking the fence.
 *
 * @param <W> what is written
 */
public abstract class ConditionalFence<W> implements Fence<W> {
    /**
     * The fence as it was read.
     *
     * @param state null if the target was never guarded
     * @param version what the step needs in order to notice a change
     */
    public record Seen(@Nullable FenceState state, Object version) {}

    /** Reads the fence. */
    protected abstract Seen look();

    /**
     * Replaces the state of the fence, and the content if there is a write, in one step.
     *
     * @param write null if the content stays as it is
     * @return false if fence or content have changed since they were seen; then nothing was written
     */
    protected abstract boolean replace(Seen seen, FenceState after, @Nullable W write);

    /** A digest of what is written, by which a repeated write is recognized. */
    protected abstract String digest(W write);

    /** The target in messages. */
    protected abstract String target();

    @Override
    public Admission raise(Grant grant) {
        return decided(
                "it is unknown whether the fence was raised; raise it again", seen -> judged(seen, grant, null), null);
    }

    @Override
    public Admission rebind(Grant grant) {
        return decided(
                "it is unknown whether the fence was bound; repeat it",
                seen -> {
                    FenceState state = seen.state();
                    if (state == null) {
                        throw new TargetUnavailableException(
                                target() + " has no fence: there is nothing to bind. Raise it with the grant");
                    }
                    return state.rebind(grant, target());
                },
                null);
    }

    @Override
    public Admission admit(Grant grant, W write) {
        return decided("it is unknown whether it was written; write again", seen -> judged(seen, grant, null), write);
    }

    @Override
    public Admission admitOnce(Grant grant, W write) {
        String digest = digest(write);
        return decided(
                "it is unknown whether it was written; write the same again",
                seen -> judged(seen, grant, digest),
                write);
    }

    private interface Judgement {
        FenceDecision of(Seen seen);
    }

    private FenceDecision judged(Seen seen, Grant grant, @Nullable String digest) {
        FenceState state = seen.state();
        if (state != null) {
            return state.judge(grant, target(), digest);
        }
        FenceState first = FenceState.first(grant);
        return new FenceDecision.Admit(
                new Admission.Admitted(grant.token()), digest == null ? first : first.withOnce(grant.token(), digest));
    }

    private Admission decided(String whenUnknown, Judgement judgement, @Nullable W write) {
        try {
            return Contention.system().resolve(target(), () -> step(judgement, write));
        } catch (StoreUnavailableException e) {
            throw new TargetUnavailableException(target() + ": " + whenUnknown + ": " + e.getMessage(), e);
        } catch (StoreCorruptException e) {
            throw new TargetUnavailableException(
                    "the fence of " + target() + " cannot be read; nothing was written: " + e.getMessage(), e);
        }
    }

    private Optional<Admission> step(Judgement judgement, @Nullable W write) {
        Seen seen = look();
        FenceDecision decision = judgement.of(seen);
        boolean changes = decision instanceof FenceDecision.Admit
                && (write != null || !decision.after().equals(seen.state()));
        return !changes || replace(seen, decision.after(), write) ? Optional.of(decision.answer()) : Optional.empty();
    }
}
