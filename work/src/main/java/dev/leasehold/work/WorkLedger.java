package dev.leasehold.work;

import dev.leasehold.Lease;
import dev.leasehold.internal.Contention;
import dev.leasehold.internal.SystemTimers;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Note;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.Timers;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Records the state of each work key in the store's register, so that each key is completed once.
 *
 * <pre>{@code
 * WorkLedger ledger = WorkLedger.over(leases.store());
 * leases.run("daily-publish", lease -> ledger.run(lease, "2026-01-01", work -> publish(work)));
 * }</pre>
 *
 * <p>Each step is one compare-and-set on one record. A step whose reply was lost may be repeated
 * with the same claim (a claim itself, with the same grant): it has no second effect, and the
 * answer says so. Safe for use by many threads. Two threads that claim a key under the same grant
 * share the claim.
 *
 * <p>Every method may throw {@link dev.leasehold.model.StoreUnavailableException}, which means that
 * the outcome is unknown, and {@link dev.leasehold.model.StoreCorruptException}, which means that a
 * person has to look at the store.
 */
public final class WorkLedger {
    /** How long a done item is kept, and a retry of its key is answered with its result. */
    public static final Duration DEFAULT_RETENTION = Duration.ofDays(30);

    private final LeaseStore store;
    private final CasRegister register;
    private final Timers timers;
    private final Contention contention = Contention.system();
    private final PendingEffects pending;
    private final @Nullable Retention old;

    private WorkLedger(LeaseStore store, CasRegister register, Timers timers, @Nullable Retention old) {
        this.store = store;
        this.register = register;
        this.timers = timers;
        this.old = old;
        this.pending = new PendingEffects(register);
    }

    public static WorkLedger over(LeaseStore store) {
        return over(store, new SystemTimers());
    }

    /** @param timers for the pauses between tries; for tests */
    public static WorkLedger over(LeaseStore store, Timers timers) {
        CasRegister register = store.register();
        return new WorkLedger(store, register, timers, new Retention(register, DEFAULT_RETENTION));
    }

    /** The same ledger with another retention. Each completion prunes a few old items. */
    public WorkLedger keepingDoneItems(Duration value) {
        return new WorkLedger(store, register, timers, retention(value));
    }

    private Retention retention(Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(
                    "done items must be kept for more than zero, because they answer retries");
        }
        return new Retention(register, value);
    }

    /**
     * Removes now all items that have been done for longer than this and have no pending effects.
     * Their keys are new again. Returns the number of items.
     *
     * @param name the name of the items, null for all names
     */
    public long prune(@Nullable LeaseName name, Duration doneFor) {
        return retention(doneFor).pruneAll(name);
    }

    /**
     * The same ledger through another access to the store's register, such as a transaction of the
     * caller. Its answers then hold when the transaction commits. It does not prune.
     */
    public WorkLedger through(CasRegister transaction) {
        return new WorkLedger(store, transaction, timers, null);
    }

    /**
     * Runs the work if its key is not done, and completes the key with the result. If the work
     * throws, the attempt is recorded as failed and the exception is passed on. The next run of the
     * key gets the last checkpoint.
     *
     * @throws OtherInputException if the key is known with another input
     * @throws Exception what the work threw
     */
    public WorkOutcome run(Lease lease, String key, Work work) throws Exception {
        return run(lease, new WorkId(lease.grant().name(), WorkKey.of(key)), null, work);
    }

    /** @param input identifies the input of the key, null to accept any */
    public WorkOutcome run(Lease lease, WorkId id, @Nullable Fingerprint input, Work work) throws Exception {
        return new WorkRun(this, lease, timers).run(id, input, work);
    }

    /**
     * Claims a key. The lease of the grant must be current; its name may differ from the name of
     * the key.
     *
     * @param input identifies the input of the key, null to accept any
     */
    public Claim claim(Grant grant, WorkId id, @Nullable Fingerprint input) {
        requireOurs(grant);
        return step(id, (item, now) -> {
            boolean otherLeaseHeld = runsUnderAnotherLease(item, grant);
            WorkRules.Claimer claimer = new WorkRules.Claimer(grant, store.inspect(grant.name()), input);
            return WorkRules.claim(id, item, claimer, otherLeaseHeld, now);
        });
    }

    /**
     * The claim that this grant has or had on the key, for steps by another process of the same
     * run.
     */
    public Optional<WorkClaim> claimOf(Grant grant, WorkId id) {
        requireOurs(grant);
        return find(id).filter(item -> WorkClaim.isBy(grant, item)).map(item -> new WorkClaim(id, grant, item.epoch()));
    }

    /** Records how far the work has come, for the next run if this one dies. */
    public WorkStep checkpoint(WorkClaim claim, Checkpoint checkpoint) {
        return step(claim.id(), (item, now) -> WorkRules.checkpoint(claim, item, checkpoint));
    }

    public WorkStep complete(WorkClaim claim, @Nullable WorkResult result) {
        return complete(claim, result, List.of());
    }

    /**
     * Completes the item, at most once, and stores its effects in the same step.
     *
     * @param effects delivered later, at least once, by {@link #deliver}; at most {@value
     *     Effect#MAX_COUNT} of {@value Effect#MAX_BYTES} bytes
     */
    public WorkStep complete(WorkClaim claim, @Nullable WorkResult result, List<String> effects) {
        Effect.requireBodies(effects);
        WorkStep step = step(
                claim.id(),
                (item, now) -> WorkRules.complete(claim, item, result, effects, lossOf(claim.grant()), now));
        if (step instanceof WorkStep.Accepted && old != null) {
            old.sweep(claim.id().name());
        }
        return step;
    }

    /** Records that the attempt failed; the item can be tried again. */
    public WorkStep fail(WorkClaim claim, Note error) {
        return step(claim.id(), (item, now) -> WorkRules.fail(claim, item, error, now));
    }

    /**
     * Delivers the pending effects of completed items of the grant's name, including those of dead
     * runs. Call it when a run begins and after it has completed something. It returns early if the
     * lease is no longer current.
     *
     * <p>Effects are delivered at least once: if a run dies after it delivered an effect and before
     * it recorded that, the effect is delivered again with the same id.
     */
    public Delivery deliver(Grant grant, EffectHandler handler) throws InterruptedException {
        requireOurs(grant);
        DeliveryRun run = new DeliveryRun(
                pending,
                this::find,
                handler,
                effect -> step(effect.work(), (item, now) -> WorkRules.delivered(item, effect.number())));
        return run.run(grant.name(), () -> lossOf(grant) == null);
    }

    /**
     * For operators: has a done key done again, or resets the attempts of a key that is not done.
     */
    public Reopening reopen(WorkId id, Note reason) {
        return step(id, (item, now) -> {
            WorkItem.Claimant by = item == null ? null : item.by();
            return WorkRules.reopen(id, item, by != null && lossOf(by.grant()) == null, reason, now);
        });
    }

    /**
     * For operators: completes a key that was claimed at least once, whoever works on it. The epoch
     * rises, so the running attempt can no longer complete it, and the item belongs to no grant. A
     * key that is done stays as it is.
     *
     * @return the item, which is done; empty if the ledger does not know the key
     */
    public Optional<WorkItem> completeAsOperator(WorkId id, @Nullable WorkResult result, Note reason) {
        return step(id, (item, now) -> WorkRules.completeAsOperator(item, result, reason, now));
    }

    /**
     * Removes an item whose outcome is recorded elsewhere, such as that of a scheduled slot. A run
     * that still works on it cannot complete it. An item with pending effects stays. Returns
     * whether the item is gone.
     */
    public boolean forget(WorkId id) {
        CasRegister.Reading reading = register.read(WorkText.entry(id));
        if (reading.value().isEmpty()) {
            return true;
        }
        return WorkText.parse(id, reading.value().get()).pendingEffects().isEmpty()
                && register.remove(WorkText.entry(id), reading.version());
    }

    public Optional<WorkItem> find(WorkId id) {
        return register.read(WorkText.entry(id)).value().map(text -> WorkText.parse(id, text));
    }

    /**
     * A page of items, in the order of their keys.
     *
     * @param name the name of the items, null for all names
     * @param after the last item of the previous page, null for the first page
     */
    public List<WorkItem> list(@Nullable LeaseName name, @Nullable WorkId after, int limit) {
        List<WorkItem> found = new ArrayList<>();
        String from = after == null ? "" : WorkText.entry(after);
        register.values(WorkText.entries(name), from, limit)
                .forEach((entry, text) -> found.add(WorkText.parse(WorkText.idOf(entry), text)));
        return found;
    }

    /**
     * The ids of such a page, also of items that cannot be read. {@link #list} throws if one of its
     * items is damaged.
     */
    public List<WorkId> ids(@Nullable LeaseName name, @Nullable WorkId after, int limit) {
        return idsIn(WorkText.entries(name), after, limit);
    }

    /** The ids of a page of items whose names start with {@code prefix}, in the order of their names and keys. */
    public List<WorkId> idsOfPrefix(String prefix, @Nullable WorkId after, int limit) {
        return idsIn(WorkText.entries(null) + prefix, after, limit);
    }

    private List<WorkId> idsIn(String entries, @Nullable WorkId after, int limit) {
        List<WorkId> ids = new ArrayList<>();
        String from = after == null ? "" : WorkText.entry(after);
        for (String entry : register.keys(entries, from, limit)) {
            ids.add(WorkText.idOf(entry));
        }
        return ids;
    }

    private @Nullable Loss lossOf(Grant grant) {
        return WorkRules.lossOf(grant, store.inspect(grant.name()));
    }

    /** A lease that is over stays over, so the answer is still true when the item is written. */
    private boolean runsUnderAnotherLease(@Nullable WorkItem item, Grant grant) {
        WorkItem.Claimant by = item == null || item.state() != WorkState.RUNNING ? null : item.by();
        return by != null && !by.grant().name().equals(grant.name()) && lossOf(by.grant()) == null;
    }

    private void requireOurs(Grant grant) {
        if (grant.store() != null && !grant.store().equals(store.id())) {
            throw new IllegalArgumentException(grant + " was issued by another store than that of this ledger:"
                    + " tokens of different stores are never compared; nothing was changed");
        }
    }

    @FunctionalInterface
    private interface Rule<T> {
        WorkRules.Decision<T> decide(@Nullable WorkItem item, Instant now);
    }

    private <T> T step(WorkId id, Rule<T> rule) {
        return contention.resolve("work item " + id, () -> tryStep(id, rule));
    }

    private <T> Optional<T> tryStep(WorkId id, Rule<T> rule) {
        String entry = WorkText.entry(id);
        CasRegister.Reading reading = register.read(entry);
        WorkItem item = reading.value().map(text -> WorkText.parse(id, text)).orElse(null);
        WorkRules.Decision<T> decision = rule.decide(item, reading.at().truncatedTo(ChronoUnit.MICROS));
        WorkItem write = decision.write();
        if (write == null) {
            return Optional.of(decision.answer());
        }
        if (!write.pendingEffects().isEmpty()) {
            pending.announce(id);
        }
        return register.compareAndSet(entry, reading.version(), WorkText.format(write))
                ? Optional.of(decision.answer())
                : Optional.empty();
    }
}
