package dev.leasehold.store;

import dev.leasehold.internal.LeaseRules;
import dev.leasehold.internal.Step;
import dev.leasehold.internal.Transition;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.Forgetting;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Note;
import dev.leasehold.model.ProgressReport;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.ForgetRequest;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A store whose operations are {@link LeaseRules} applied to one record. Subclasses apply a
 * transition atomically, and keep the history.
 */
abstract class SteppedLeaseStore implements LeaseStore {
    private final StoreId id;
    private final LeaseRules rules;

    SteppedLeaseStore(StoreId id) {
        this.id = id;
        this.rules = new LeaseRules(id);
    }

    /**
     * Applies the transition to the record of {@code name}, atomically with respect to all other
     * clients of the store, and adds a line of history if the step is a transfer.
     */
    abstract <T> T step(LeaseName name, Transition<T> transition);

    /** Applies a transition that only reads. Unlike a step, it need not wait for writers. */
    <T> T look(LeaseName name, Transition<T> reading) {
        return step(name, reading);
    }

    /** Removes everything about a name, including its token. */
    abstract boolean erase(LeaseName name);

    static List<Forgetting> each(List<ForgetRequest> requests, Function<ForgetRequest, Forgetting> forget) {
        List<Forgetting> answers = new ArrayList<>(requests.size());
        for (ForgetRequest request : requests) {
            answers.add(forget.apply(request));
        }
        return answers;
    }

    @Override
    public final boolean eraseScratch(LeaseName name) {
        LeaseStore.requireScratch(name);
        return erase(name);
    }

    @Override
    public final StoreId id() {
        return id;
    }

    @Override
    public final Acquisition acquire(LeaseName name, AttemptId attempt, Holder holder, Duration ttl) {
        return step(name, rules.acquire(name, attempt, holder, ttl));
    }

    @Override
    public Acquisition intervene(Intervention move) {
        return step(move.name(), intervention(move));
    }

    final Transition<Acquisition> intervention(Intervention move) {
        return rules.intervene(move);
    }

    @Override
    public List<Renewal> renew(List<RenewRequest> requests) {
        List<Renewal> results = new ArrayList<>(requests.size());
        for (RenewRequest request : requests) {
            results.add(renewOne(request));
        }
        return results;
    }

    /**
     * A record that is damaged, or locked by a stopped process, must not make the renewals of other
     * names fail.
     */
    private Renewal renewOne(RenewRequest request) {
        try {
            return step(request.grant().name(), renewal(request));
        } catch (StoreUnavailableException | StoreCorruptException e) {
            return new Renewal.Unknown(String.valueOf(e.getMessage()));
        }
    }

    final Transition<Renewal> renewal(RenewRequest request) {
        return rules.renew(request.grant(), request.ttl());
    }

    @Override
    public final Release release(Grant grant, Duration minHold) {
        return step(grant.name(), rules.release(grant, minHold));
    }

    @Override
    public final void abandon(LeaseName name, AttemptId attempt) {
        step(name, rules.abandon(attempt));
    }

    @Override
    public final ProgressReport progress(Grant grant, @Nullable Note note, @Nullable Checkpoint checkpoint) {
        return step(grant.name(), rules.progress(grant, note, checkpoint));
    }

    @Override
    public Optional<LeaseSnapshot> inspect(LeaseName name) {
        return look(
                name,
                (record, floor, clock) -> Step.keep(Optional.ofNullable(record).map(r -> snapshot(r, clock))));
    }

    private static LeaseSnapshot snapshot(LeaseRecord record, Instant clock) {
        return new LeaseSnapshot(record, LeaseRules.storeTime(record, clock));
    }
}
