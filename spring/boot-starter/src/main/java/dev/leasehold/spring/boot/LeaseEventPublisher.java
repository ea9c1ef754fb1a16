package dev.leasehold.spring.boot;

import dev.leasehold.AcquireResult;
import dev.leasehold.Lease;
import dev.leasehold.LeaseListener;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Release;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.Transfer;
import dev.leasehold.spring.LeaseEvent;
import org.springframework.context.ApplicationEventPublisher;

/** Publishes what happens to leases as events of the application. */
final class LeaseEventPublisher implements LeaseListener {
    private final ApplicationEventPublisher events;

    LeaseEventPublisher(ApplicationEventPublisher events) {
        this.events = events;
    }

    @Override
    public void acquired(Lease lease, Transfer transfer) {
        events.publishEvent(new LeaseEvent.Acquired(lease.grant(), transfer));
    }

    @Override
    public void skipped(LeaseName name, AcquireResult.Busy busy) {
        events.publishEvent(new LeaseEvent.Skipped(name, busy));
    }

    @Override
    public void staleRefused(Lease lease, String explanation) {
        events.publishEvent(new LeaseEvent.StaleRefused(lease.grant(), explanation));
    }

    @Override
    public void lost(Lease lease, Loss loss) {
        events.publishEvent(new LeaseEvent.Lost(lease.grant(), loss));
    }

    @Override
    public void released(Lease lease, Release release) {
        events.publishEvent(new LeaseEvent.Released(lease.grant(), true));
    }

    @Override
    public void releaseFailed(Lease lease, StoreUnavailableException failure) {
        events.publishEvent(new LeaseEvent.Released(lease.grant(), false));
    }
}
