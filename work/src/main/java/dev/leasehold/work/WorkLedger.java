package dev.leasehold.work;

import dev.leasehold.Lease;
import dev.leasehold.internal.Contention;
import dev.leasehold.internal.SystemTimers;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreUnavailableException;
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
 * Remembers what became of each key, in the store's register, so that one key ends as one artifact on every store.
 *
 * <pre>{@code
 * WorkLedger ledger = WorkLedger.over(leases.store());
 * leases.run("daily-publish", lease -> ledger.run(lease, "2026-01-01", work -> publish(work)));
 * }</pre>
 *
 * <p>Each step is one compare-and-set on one record. A step whose reply was lost may be repeated with the same claim (a claim:
 * with the same grant): it converges and is told apart. Safe for use by many threads; one grant is one runner, so two threads
 * that claim one key under one grant share the claim.
 *
 * <p>Every method may throw {@link StoreUnavailableException}, which means that the outcome is unknown, and {@link
 * dev.leasehold.model.StoreCorruptException}, which means stop.
 */
public final class WorkLedger {
    /** How long a done item is kept: as long as a retry of its key is answered with its result. */
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

    /** @param timers waits between tries; a test hands in its own */
    public static WorkLedger over(LeaseStore store, Timers timers) {
        CasRegister register = store.register();
        return new WorkLedger(store, register, timers, new Retention(register, DEFAULT_RETENTION));
    }

    /** The same ledger, which keeps done items this long before it prunes them, a few with each completion. */
    public WorkLedger keepingDoneItems(Duration value) {
        return new WorkLedger(store, register, timers, retention(value));
    }

    private Retention retention(Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException("done items must be kept for more than zero: they answer retries");
        }
        return new Retention(register, value);
    }

    /**
     * Removes the items now that have been done for longer than this and whose effects are all delivered, also those of names
     * that nobody completes anything under any more. Their keys are new again. How many that were.
     *
     * @param name whose items, null for those of all names
     */
    public long prune(@Nullable LeaseName name, Duration doneFor) {
        return retention(doneFor).pruneAll(name);
    }

    /**
     * The same ledger through another way to the store's register, such as a transaction of the caller's: whatever it answers
     * then holds when that transaction commits. It leaves pruning to others.
     */
    public WorkLedger through(CasRegister transaction) {
        return new WorkLedger(store, transaction, timers, null);
    }

    /**
     * Runs the work if its key is not done, and completes it with the result. An attempt that throws is recorded as failed,
     * and its exception passed on; the next run of the key gets its checkpoint.
     *
     * @throws OtherInputException if the key is known with another input
     * @throws Exception what the work threw
     */
    public WorkOutcome run(Lease lease, String key, Work work) throws Exception {
        return run(lease, new WorkId(lease.grant().name(), WorkKey.of(key)), null, work);
    }

    /** @param input what tells this input of the key from another, null to let any pass */
    public WorkOutcome run(Lease lease, WorkId id, @Nullable Fingerprint input, Work work) throws Exception {
        return new WorkRun(this, lease, timers).run(id, input, work);
    }

    /**
     * Asks for the right to do a key. The lease of the grant must be current, and may be of another name than the key.
     *
     * @param input what tells this input of the key from another, null to let any pass
     */
    public Claim claim(Grant grant, WorkId id, @Nullable Fingerprint input) {
        requireOurs(grant);
        return step(id, (item, now) -> {
            boolean otherLeaseHeld = runsUnderAnotherLease(item, grant);
            WorkRules.Claimer claimer = new WorkRules.Claimer(grant, store.inspect(grant.name()), input);
            return WorkRules.claim(id, item, claimer, otherLeaseHeld, now);
        });
    }

    /** The claim that this very grant has, or had, on the key: for steps that are taken by another process of the same run. */
    public Optional<WorkClaim> claimOf(Grant grant, WorkId id) {
        requireOurs(grant);
        return find(id).filter(item -> WorkClaim.isBy(grant, item)).map(item -> new WorkClaim(id, grant, item.epoch()));
    }

    /** Records where the work got to, for the next claimant if this one dies. */
    public WorkStep checkpoint(WorkClaim claim, Checkpoint checkpoint) {
        return step(claim.id(), (item, now) -> WorkRules.checkpoint(claim, item, checkpoint));
    }

    public WorkStep complete(WorkClaim claim, @Nullable WorkResult result) {
        return complete(claim, result, List.of());
    }

    /**
     * Completes the item, at most once ever, and stores what has to follow from it in the same step.
     *
     * @param effects delivered later, at least once, by {@link #deliver}; at most {@value Effect#MAX_COUNT} of {@value
     *     Effect#MAX_BYTES} bytes
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

    /** Gives the attempt up and leaves the item to be tried again. */
    public WorkStep fail(WorkClaim claim, Note error) {
        return step(claim.id(), (item, now) -> WorkRules.fail(claim, item, error, now));
    }

    /**
     * Delivers the effects of completed items of the grant's name that nobody delivered yet, those of dead runs included. Call
     * it when a run begins, and after it completed something. It ends early when the lease is not current any more.
     *
     * <p>At least once: a run that dies between the effect and its mark leaves it to be delivered again, under the same id.
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

    /** An operator's move: has a key done again although it is done, or tried again with its attempts counted anew. */
    public Reopening reopen(WorkId id, Note reason) {
        return step(id, (item, now) -> {
            WorkItem.Claimant by = item == null ? null : item.by();
            return WorkRules.reopen(id, item, by != null && lossOf(by.grant()) == null, reason, now);
        });
    }

    /**
     * Removes an item whose outcome is remembered elsewhere, such as that of a scheduled slot; whoever still works on it can
     * complete nothing. An item whose effects are not all delivered stays. Whether it is gone now.
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
     * Items in the order of their keys, a page at a time.
     *
     * @param name whose items, null for those of all names
     * @param after the last item of the page before, null for the first page
     */
    public List<WorkItem> list(@Nullable LeaseName name, @Nullable WorkId after, int limit) {
        List<WorkItem> found = new ArrayList<>();
        String from = after == null ? "" : WorkText.entry(after);
        for (String entry : register.keys(WorkText.entries(name), from, limit)) {
            find(WorkText.idOf(entry)).ifPresent(found::add);
        }
        return found;
    }

    private @Nullable Loss lossOf(Grant grant) {
        return WorkRules.lossOf(grant, store.inspect(grant.name()));
    }

    /** A lease that is over stays over, so what is seen here cannot turn wrong before the item is written. */
    private boolean runsUnderAnotherLease(@Nullable WorkItem item, Grant grant) {
        WorkItem.Claimant by = item == null || item.state() != WorkState.RUNNING ? null : item.by();
        return by != null && !by.grant().name().equals(grant.name()) && lossOf(by.grant()) == null;
    }

    private void requireOurs(Grant grant) {
        if (grant.store() != null && !grant.store().equals(store.id())) {
            throw new IllegalArgumentException(grant + " was given by another store than the one of this ledger:"
                    + " tokens of two stores are never compared; nothing was changed");
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
