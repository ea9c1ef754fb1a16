package dev.leasehold;

import dev.leasehold.internal.Failure;
import dev.leasehold.internal.HeldGrant;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Note;
import dev.leasehold.model.ProgressReport;
import dev.leasehold.model.Release;
import dev.leasehold.model.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A lease that is held and renewed in the background until it is closed or lost. Not bound to a thread; safe for use by
 * many.
 *
 * <p>{@link #isTrusted()} is the holder's own, careful judgement. It does not protect a target: between the look and the
 * write the process can be paused. Show the {@link #grant()} to a {@linkplain dev.leasehold.fence.Fence fence} instead.
 */
public final class Lease implements AutoCloseable {
    private final Leases leases;
    private final HeldGrant held;
    private final List<Consumer<Loss>> lostCallbacks = new ArrayList<>();
    private volatile Runnable urgentOnLoss = () -> {};

    Lease(Leases leases, HeldGrant held) {
        this.leases = leases;
        this.held = held;
    }

    /** The proof to show to fences and stores. */
    public Grant grant() {
        return held.grant();
    }

    public LeaseTerms terms() {
        return held.terms();
    }

    /** How long this process may still act on the lease; zero when it is lost, closed or not trusted any more. */
    public Duration remaining() {
        return held.remaining(leases.now());
    }

    public boolean isTrusted() {
        return !remaining().isZero();
    }

    /**
     * For the places where going on without the lease would be wrong.
     *
     * @throws LeaseLostException if the lease is not trusted any more
     */
    public void requireTrusted() {
        if (!isTrusted()) {
            throw new LeaseLostException(
                    grant(), loss().orElse(new Loss.Lapsed("its trusted time has passed, or it was closed")));
        }
    }

    public Optional<Loss> loss() {
        return Optional.ofNullable(held.loss());
    }

    /** Calls back once when the lease is lost, also if it is lost already; never after it was closed in time. */
    public void onLost(Consumer<Loss> callback) {
        synchronized (lostCallbacks) {
            if (held.loss() == null) {
                lostCallbacks.add(callback);
                return;
            }
        }
        loss().ifPresent(loss -> leases.callBack(() -> callback.accept(loss)));
    }

    /** Tells the heartbeat, without asking the store, that the work is getting on. */
    public void progress() {
        held.progressed(leases.now());
    }

    /** Records progress in the store as well, where operators and the next run see it. */
    public ProgressReport progress(@Nullable Note note, @Nullable Checkpoint checkpoint) {
        ProgressReport report = leases.store().progress(grant(), note, checkpoint);
        if (report instanceof ProgressReport.Noted) {
            progress();
        }
        return report;
    }

    /** Tells the listener that a target refused this lease as stale, so that it is counted and seen. */
    public void reportStale(String explanation) {
        leases.tell(listener -> listener.staleRefused(this, explanation));
    }

    /**
     * Gives the lease back. Empty if it was closed before, or if it was lost to somebody else and there is nothing to give.
     *
     * @throws StoreUnavailableException if the store did not answer; the name is free at the latest after its ttl
     */
    public Optional<Release> release() {
        boolean first = held.close();
        leases.forget(this, held);
        Loss loss = held.loss();
        if (!first || loss instanceof Loss.Superseded || loss instanceof Loss.Forgotten) {
            return Optional.empty();
        }
        return Optional.of(leases.release(this));
    }

    /** Stops renewing without giving the lease back: it lasts until its ttl. For one-shot programs that pass it on. */
    public Grant detach() {
        held.close();
        leases.forget(this, held);
        return grant();
    }

    /** Releases; a store that does not answer is told to the listener, not thrown: the work itself went well. */
    @Override
    public void close() {
        try {
            release();
        } catch (StoreUnavailableException e) {
            leases.tell(listener -> listener.releaseFailed(this, e));
        }
    }

    /** Ours, so it is known to be quick, and does not wait behind users' callbacks. */
    void onLossUrgently(Runnable action) {
        urgentOnLoss = action;
        if (held.loss() != null) {
            action.run();
        }
    }

    @SuppressWarnings("CatchingUnchecked")
    void tellLost(Loss loss) {
        try {
            urgentOnLoss.run();
        } catch (RuntimeException | Error e) {
            Failure.log("the work could not be told to stop", e);
        }
        List<Consumer<Loss>> callbacks;
        synchronized (lostCallbacks) {
            callbacks = List.copyOf(lostCallbacks);
            lostCallbacks.clear();
        }
        for (Consumer<Loss> callback : callbacks) {
            leases.callBack(() -> callback.accept(loss));
        }
    }

    @Override
    public String toString() {
        return "Lease[" + grant() + "]";
    }
}
