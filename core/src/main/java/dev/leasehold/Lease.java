package dev.leasehold;

import dev.leasehold.internal.HeldGrant;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Note;
import dev.leasehold.model.ProgressReport;
import dev.leasehold.model.Release;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.ClockReading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A lease that this process holds and renews in the background until it is closed or lost. Not
 * bound to a thread; safe for use by many threads.
 *
 * <p>{@link #isTrusted()} is the holder's own, cautious judgement. It does not protect a target:
 * the process can be paused between the check and the write. Show the {@link #grant()} to a
 * {@linkplain dev.leasehold.fence.Fence fence} instead.
 */
public final class Lease implements AutoCloseable {
    private final Leases leases;
    private final HeldGrant held;
    private final Transfer transfer;
    private final List<Consumer<Loss>> lostCallbacks = new ArrayList<>();

    Lease(Leases leases, Acquisition.Granted granted, LeaseTerms terms, ClockReading asked) {
        this.leases = leases;
        this.transfer = granted.transfer();
        this.held = new HeldGrant(granted.grant(), terms, asked, new Observer());
    }

    /** The proof to show to fences and stores. */
    public Grant grant() {
        return held.grant();
    }

    public LeaseTerms terms() {
        return held.terms();
    }

    /**
     * How ownership changed when this lease was acquired: after a release, an expiry or a takeover,
     * for example.
     */
    public Transfer transfer() {
        return transfer;
    }

    /**
     * How long this process may still act on the lease; zero if it is lost, closed or no longer
     * trusted.
     */
    public Duration remaining() {
        return held.remaining(leases.now());
    }

    /** The time since this process asked for the lease, whether or not it still holds it. */
    public Duration heldFor() {
        return held.heldFor(leases.now());
    }

    /** Whether this process may still act on the lease. */
    public boolean isTrusted() {
        return !remaining().isZero();
    }

    /**
     * Stops work that must not continue without the lease.
     *
     * @throws LeaseLostException if the lease is no longer trusted
     */
    public void requireTrusted() {
        if (!isTrusted()) {
            throw new LeaseLostException(
                    grant(), loss().orElse(new Loss.Lapsed("its trusted time has passed, or it was closed")));
        }
    }

    /** Why the lease was lost; empty if it was not. */
    public Optional<Loss> loss() {
        return Optional.ofNullable(held.loss());
    }

    /**
     * Calls back once when the lease is lost, or soon if it is lost already. A lease that was
     * closed in time is never lost. Callbacks run on separate threads, so a slow one delays neither
     * renewals nor other callbacks, among them the interrupt of {@link Leases#run}.
     */
    public void onLost(Consumer<Loss> callback) {
        synchronized (lostCallbacks) {
            if (held.loss() == null) {
                lostCallbacks.add(callback);
                return;
            }
        }
        loss().ifPresent(loss -> leases.callBack(() -> callback.accept(loss)));
    }

    /**
     * Runs work on this thread, which is interrupted if the lease is lost meanwhile. The lease is
     * held afterwards; {@link Leases#run} also acquires and releases it.
     *
     * @return never {@link RunOutcome.Skipped}
     * @throws Exception what the work threw while the lease was trusted
     */
    public <T> RunOutcome<T> run(Leases.Work<T> work) throws Exception {
        return new InterruptibleRun<>(this, work).run();
    }

    /**
     * Reports progress of the work to this process, without calling the store; see {@link
     * LeaseTerms#progressWithin()}.
     */
    public void progress() {
        held.progressed(leases.now());
    }

    /**
     * Reports progress, and records it in the store, where operators and the next run can read it.
     */
    public ProgressReport progress(@Nullable Note note, @Nullable Checkpoint checkpoint) {
        ProgressReport report = leases.store().progress(grant(), note, checkpoint);
        if (report instanceof ProgressReport.Noted) {
            progress();
        }
        return report;
    }

    /**
     * Reports to the listener that a target refused this lease as stale. For extensions such as
     * jobs and work; ordinary callers have no use for it.
     */
    public void reportStale(String explanation) {
        leases.notifyListener(listener -> listener.staleRefused(this, explanation));
    }

    /**
     * Gives the lease back. Empty if it was closed before, or if another holder has taken it.
     *
     * @throws StoreUnavailableException if the store did not answer; the name is free after the ttl
     *     at the latest
     */
    public Optional<Release> release() {
        return release(terms().minHold());
    }

    /**
     * Gives the lease back, with another minimum hold than that of its terms: the name stays taken until
     * {@code minHold} after it was acquired.
     */
    public Optional<Release> release(Duration minHold) {
        boolean first = stopRenewing();
        Loss loss = held.loss();
        if (!first || loss instanceof Loss.Superseded || loss instanceof Loss.Forgotten) {
            return Optional.empty();
        }
        return Optional.of(leases.release(this, minHold));
    }

    /**
     * Stops renewing without giving the lease back: it lasts until its ttl. For one-shot programs
     * that pass the grant on.
     */
    public Grant detach() {
        stopRenewing();
        return grant();
    }

    /**
     * Gives the lease back. If the store does not answer, the listener is informed and nothing is
     * thrown.
     */
    @Override
    public void close() {
        try {
            release();
        } catch (StoreUnavailableException e) {
            leases.notifyListener(listener -> listener.releaseFailed(this, e));
        }
    }

    HeldGrant held() {
        return held;
    }

    private boolean stopRenewing() {
        boolean first = held.close();
        leases.stopRenewing(held);
        return first;
    }

    /** What the heartbeat reports. */
    private final class Observer implements HeldGrant.Observer {
        @Override
        public void renewed(Duration gap) {
            if (!held.isClosed()) {
                leases.notifyListener(listener -> listener.renewed(Lease.this, gap));
            }
        }

        @Override
        public void lost(Loss loss) {
            List<Consumer<Loss>> callbacks;
            synchronized (lostCallbacks) {
                callbacks = List.copyOf(lostCallbacks);
                lostCallbacks.clear();
            }
            for (Consumer<Loss> callback : callbacks) {
                leases.callBack(() -> callback.accept(loss));
            }
            leases.callBack(() -> leases.notifyListener(listener -> listener.lost(Lease.this, loss)));
        }
    }

    @Override
    public String toString() {
        return "Lease[" + grant() + "]";
    }
}
