package dev.leasehold.testkit;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.Forgetting;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Note;
import dev.leasehold.model.ProgressReport;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.ForgetRequest;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Forwards every call; a subclass changes one operation. */
public abstract class ForwardingLeaseStore implements LeaseStore {
    protected final LeaseStore delegate;

    protected ForwardingLeaseStore(LeaseStore delegate) {
        this.delegate = delegate;
    }

    @Override
    public StoreId id() {
        return delegate.id();
    }

    @Override
    public Acquisition acquire(LeaseName name, AttemptId attempt, Holder holder, Duration ttl) {
        return delegate.acquire(name, attempt, holder, ttl);
    }

    @Override
    public Acquisition intervene(Intervention move) {
        return delegate.intervene(move);
    }

    @Override
    public List<Renewal> renew(List<RenewRequest> requests) {
        return delegate.renew(requests);
    }

    @Override
    public Release release(Grant grant, Duration minHold) {
        return delegate.release(grant, minHold);
    }

    @Override
    public void abandon(LeaseName name, AttemptId attempt) {
        delegate.abandon(name, attempt);
    }

    @Override
    public ProgressReport progress(Grant grant, @Nullable Note note, @Nullable Checkpoint checkpoint) {
        return delegate.progress(grant, note, checkpoint);
    }

    @Override
    public Optional<LeaseSnapshot> inspect(LeaseName name) {
        return delegate.inspect(name);
    }

    @Override
    public List<LeaseSnapshot> list(String prefix, String after, int limit) {
        return delegate.list(prefix, after, limit);
    }

    @Override
    public List<LeaseName> names(String prefix, String after, int limit) {
        return delegate.names(prefix, after, limit);
    }

    @Override
    public List<Transfer> history(LeaseName name, int limit) {
        return delegate.history(name, limit);
    }

    @Override
    public List<Forgetting> forget(List<ForgetRequest> requests) {
        return delegate.forget(requests);
    }

    @Override
    public long floor() {
        return delegate.floor();
    }

    @Override
    public CasRegister register() {
        return delegate.register();
    }

    @Override
    public boolean eraseScratch(LeaseName name) {
        return delegate.eraseScratch(name);
    }

    @Override
    public void close() {
        delegate.close();
    }
}
