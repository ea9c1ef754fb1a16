package dev.leasehold;

import dev.leasehold.internal.Failure;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Release;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.Transfer;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Several listeners as one. */
final class LeaseListeners implements LeaseListener {
    private final List<LeaseListener> all;

    LeaseListeners(List<? extends LeaseListener> all) {
        this.all = List.copyOf(all);
    }

    @SuppressWarnings("CatchingUnchecked")
    private void each(Consumer<LeaseListener> event) {
        for (LeaseListener listener : all) {
            try {
                event.accept(listener);
            } catch (RuntimeException | Error e) {
                Failure.log("a lease listener failed", e);
            }
        }
    }

    @Override
    public void acquired(Lease lease, Transfer transfer) {
        each(listener -> listener.acquired(lease, transfer));
    }

    @Override
    public void skipped(LeaseName name, AcquireResult.Busy busy) {
        each(listener -> listener.skipped(name, busy));
    }

    @Override
    public void renewed(Lease lease, Duration gap) {
        each(listener -> listener.renewed(lease, gap));
    }

    @Override
    public void staleRefused(Lease lease, String explanation) {
        each(listener -> listener.staleRefused(lease, explanation));
    }

    @Override
    public void lost(Lease lease, Loss loss) {
        each(listener -> listener.lost(lease, loss));
    }

    @Override
    public void released(Lease lease, Release release) {
        each(listener -> listener.released(lease, release));
    }

    @Override
    public void releaseFailed(Lease lease, StoreUnavailableException failure) {
        each(listener -> listener.releaseFailed(lease, failure));
    }
}
