package dev.leasehold.metrics;

import dev.leasehold.metrics.CallTimers.Operation;
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
import dev.leasehold.spi.Watch;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A store that measures its calls in a Micrometer registry: {@code leasehold.store.calls}, by
 * operation and by whether the store answered. It behaves as the store behind it, whatever the
 * registry does.
 */
public final class MeteredStore implements LeaseStore {
    private final LeaseStore store;
    private final CasRegister register;
    private final CallTimers timers;
    private final @Nullable ServedLeaseMeters served;

    private MeteredStore(LeaseStore store, CallTimers timers, @Nullable ServedLeaseMeters served) {
        this.store = store;
        this.timers = timers;
        this.served = served;
        this.register = new MeteredRegister(store.register(), timers);
    }

    /** For a process whose own leases are counted by {@link LeaseMetrics}. */
    public static MeteredStore timed(LeaseStore store, MeterRegistry registry) {
        return new MeteredStore(store, new CallTimers(registry), null);
    }

    /**
     * For a process that passes on the calls of others, such as a server: what the store answers is
     * counted too. Two events are not to be seen here, because only the caller knows them: {@link
     * #countBusy} and {@link #countRefusal}.
     */
    public static MeteredStore counting(LeaseStore store, MeterRegistry registry) {
        return new MeteredStore(store, new CallTimers(registry), new ServedLeaseMeters(registry));
    }

    /** A client was told that a lease is busy, and does not wait for it any longer. */
    public void countBusy() {
        if (served != null) {
            timers.count(served::busy);
        }
    }

    /** A fence or the work ledger refused a stale grant. */
    public void countRefusal() {
        if (served != null) {
            timers.count(served::refused);
        }
    }

    @Override
    public StoreId id() {
        return store.id();
    }

    @Override
    public Acquisition acquire(LeaseName name, AttemptId attempt, Holder holder, Duration ttl) {
        Acquisition answer = timers.time(Operation.ACQUIRE, () -> store.acquire(name, attempt, holder, ttl));
        if (served != null) {
            timers.count(() -> served.acquired(answer));
        }
        return answer;
    }

    @Override
    public Acquisition intervene(Intervention move) {
        Acquisition answer = timers.time(Operation.INTERVENE, () -> store.intervene(move));
        if (served != null) {
            timers.count(() -> served.intervened(answer));
        }
        return answer;
    }

    @Override
    public List<Renewal> renew(List<RenewRequest> requests) {
        List<Renewal> answers = timers.time(Operation.RENEW, () -> store.renew(requests));
        if (served != null) {
            timers.count(() -> served.renewed(answers));
        }
        return answers;
    }

    @Override
    public Release release(Grant grant, Duration minHold) {
        Release answer = timers.time(Operation.RELEASE, () -> store.release(grant, minHold));
        if (served != null) {
            timers.count(() -> served.released(answer));
        }
        return answer;
    }

    @Override
    public void abandon(LeaseName name, AttemptId attempt) {
        Boolean unused = timers.time(Operation.ABANDON, () -> {
            store.abandon(name, attempt);
            return true;
        });
    }

    @Override
    public ProgressReport progress(Grant grant, @Nullable Note note, @Nullable Checkpoint checkpoint) {
        return timers.time(Operation.PROGRESS, () -> store.progress(grant, note, checkpoint));
    }

    @Override
    public Optional<LeaseSnapshot> inspect(LeaseName name) {
        return timers.time(Operation.INSPECT, () -> store.inspect(name));
    }

    @Override
    public List<LeaseSnapshot> list(String prefix, String after, int limit) {
        return timers.time(Operation.LIST, () -> store.list(prefix, after, limit));
    }

    @Override
    public List<LeaseName> names(String prefix, String after, int limit) {
        return timers.time(Operation.LIST, () -> store.names(prefix, after, limit));
    }

    @Override
    public List<Transfer> history(LeaseName name, int limit) {
        return timers.time(Operation.HISTORY, () -> store.history(name, limit));
    }

    @Override
    public CasRegister register() {
        return register;
    }

    @Override
    public Optional<Watch> watch(LeaseName name) {
        return store.watch(name);
    }

    @Override
    public List<Forgetting> forget(List<ForgetRequest> requests) {
        return timers.time(Operation.FORGET, () -> store.forget(requests));
    }

    @Override
    public long floor() {
        return timers.time(Operation.INSPECT, store::floor);
    }

    @Override
    public boolean eraseScratch(LeaseName name) {
        return timers.time(Operation.ERASE, () -> store.eraseScratch(name));
    }

    @Override
    public Optional<String> atomicBecause() {
        return store.atomicBecause();
    }

    @Override
    public List<String> warnings() {
        return store.warnings();
    }

    @Override
    public void close() {
        store.close();
    }
}
