package dev.leasehold.testkit;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Checkpoint;
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
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Forwards every call; a subclass changes one operation. */
public abstract class ForwardingLeaseStore implements LeaseStore {
    protected final LeaseStore right;

    protected ForwardingLeaseStore(LeaseStore right) {
        this.right = right;
    }

    @Override
    public StoreId id() {
        return right.id();
    }

    @Override
    public Acquisition acquire(LeaseName name, AttemptId attempt, Holder holder, Duration ttl) {
        return right.acquire(name, attempt, holder, ttl);
    }

    @Override
    public Acquisition intervene(Intervention move) {
        return right.intervene(move);
    }

    @Override
    public List<Renewal> renew(List<RenewRequest> requests) {
        return right.renew(requests);
    }

    @Override
    public Release release(Grant grant, Duration minHold) {
        return right.release(grant, minHold);
    }

    @Override
    public void abandon(LeaseName name, AttemptId attempt) {
        right.abandon(name, attempt);
    }

    @Override
    public ProgressReport progress(Grant grant, @Nullable Note note, @Nullable Checkpoint checkpoint) {
        return right.progress(grant, note, checkpoint);
    }

    @Override
    public Optional<LeaseSnapshot> inspect(LeaseName name) {
        return right.inspect(name);
    }

    @Override
    public List<LeaseSnapshot> list(String prefix, String after, int limit) {
        return right.list(prefix, after, limit);
    }

    @Override
    public List<LeaseName> names(String prefix, String after, int limit) {
        return right.names(prefix, after, limit);
    }

    @Override
    public List<Transfer> history(LeaseName name, int limit) {
        return right.history(name, limit);
    }

    @Override
    public CasRegister register() {
        return right.register();
    }

    @Override
    public boolean eraseScratch(LeaseName name) {
        return right.eraseScratch(name);
    }

    @Override
    public void close() {
        right.close();
    }
}
