package dev.leasehold.jobs;

import dev.leasehold.AcquireResult;
import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.jobs.Outcome.Kind;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * One pass of one machine over one job: decides the due slots, starts those it can get a lease for,
 * and plans the next pass.
 */
final class JobPass {
    private final JobEngine engine;
    private final Job job;
    private final JobWatch watch;
    private JobRecord record;
    private Instant now;
    private Instant nextPass = Instant.MAX;

    JobPass(JobEngine engine, Job job, JobWatch watch) {
        this.engine = engine;
        this.job = job;
        this.watch = watch;
        this.now = Instant.MIN;
        this.record = JobRecord.first(Instant.MIN);
    }

    /** Returns when the next pass is due, by the store's clock. */
    Instant run() {
        decideDueSlots();
        Set<LeaseName> names = new LinkedHashSet<>();
        record.open().forEach(entry -> names.add(entry.lease()));
        for (LeaseName name : names) {
            advance(name);
        }
        // Every slot up to now is decided, so the next one after the watermark is in the future.
        job.schedule().nextAfter(record.watermark()).ifPresent(this::passAgainAt);
        for (OpenSlot entry : record.open()) {
            if (entry.isQueued() && entry.notBefore().isAfter(now)) {
                passAgainAt(entry.notBefore());
            }
            if (entry.isQueued() && entry.notAfter() != null) {
                passAgainAt(entry.notAfter().plusMillis(1));
            }
        }
        return nextPass;
    }

    /** Whether the job was paused at the time of this pass. */
    boolean isPaused() {
        return record.pause() != null;
    }

    private void decideDueSlots() {
        Duration jitter = job.jitter().isZero() ? Duration.ZERO : engine.randomUpTo(job.jitter());
        update(engine.change(job, (before, at) -> DueSlotPolicy.apply(job, before, at, jitter)));
    }

    private void update(JobRecords.Change change) {
        record = change.after();
        now = change.at();
    }

    private void passAgainAt(Instant at) {
        nextPass = at.isBefore(nextPass) ? at : nextPass;
    }

    /** Does what can be done for the slots under one lease name. */
    private void advance(LeaseName name) {
        Optional<OpenSlot> running = record.runningOn(name);
        Optional<OpenSlot> queued = SlotTransitions.nextQueued(record, name, now);
        OpenSlot.Run run = running.map(OpenSlot::run).orElse(null);
        if (run != null && queued.isPresent() && queued.get().supersedes()) {
            takeOver(queued.get(), run.token());
        } else if (running.isPresent()) {
            replaceIfLost(running.get(), queued.isPresent());
        } else if (queued.isPresent()) {
            Instant ask = watch.askFor(name, now);
            if (ask.isAfter(now)) {
                passAgainAt(ask);
            } else {
                start(name, queued.get());
            }
        }
    }

    /**
     * Takes over a slot that another machine runs if its lease has ended.
     *
     * @param awaited whether another slot waits for its end
     */
    private void replaceIfLost(OpenSlot running, boolean awaited) {
        OpenSlot.Run run = running.run();
        if (run == null || record.pause() != null || engine.runs().contains(job, running)) {
            return;
        }
        passAgainAt(watch.readAgain(awaited, job.terms().heartbeat(), now));
        Instant ask = watch.askAbout(running.lease(), run.token(), job.terms().heartbeat(), now);
        if (ask.isAfter(now)) {
            passAgainAt(ask);
        } else {
            start(running.lease(), running);
        }
    }

    private void start(LeaseName name, OpenSlot candidate) {
        Optional<Workers.Permit> free = engine.tryPermit(job);
        if (free.isEmpty()) {
            // Every worker here is busy. Another machine may start the slot; a free worker here
            // triggers another pass.
            return;
        }
        AcquireResult attempt;
        try (Workers.Permit permit = free.get()) {
            attempt = engine.leases().poll(name, job.terms());
            if (attempt instanceof AcquireResult.Acquired acquired) {
                watch.forget(name);
                Lease lease = acquired.held();
                recordAndRun(
                        lease,
                        permit,
                        false,
                        (before, at) -> SlotTransitions.start(
                                before,
                                name,
                                lease.grant().token(),
                                engine.leases().holder(),
                                at));
            }
        }
        // Only after the permit is returned, because the following may need it.
        if (attempt instanceof AcquireResult.Busy busy) {
            handleBusy(name, candidate, busy);
        }
    }

    /**
     * Records the start of a slot, and runs it if this machine got it.
     *
     * @param shared whether other machines may have the same grant; then this machine must not
     *     release it
     */
    private void recordAndRun(
            Lease lease, Workers.Permit permit, boolean shared, BiFunction<JobRecord, Instant, JobRecord> start) {
        boolean started = false;
        boolean others = shared;
        try {
            JobRecords.Change change = engine.change(job, start);
            update(change);
            Optional<OpenSlot> mine = record.open().stream()
                    .filter(entry -> entry.lease().equals(lease.grant().name())
                            && entry.isRunBy(lease.grant().token()))
                    .findFirst();
            others = shared && mine.isPresent();
            // This machine runs only what this change started.
            if (mine.isPresent() && !change.before().open().contains(mine.get())) {
                runOrQueueAgain(change, mine.get(), lease, permit);
                started = true;
            }
        } finally {
            if (!started) {
                if (others) {
                    lease.detach();
                } else {
                    lease.close();
                }
            }
        }
    }

    private void runOrQueueAgain(JobRecords.Change change, OpenSlot mine, Lease lease, Workers.Permit permit) {
        try {
            engine.run(job, mine, lease, permit);
        } catch (RejectedExecutionException e) {
            // The slot was not begun, so this is not an attempt, and any machine may start it
            // at once.
            update(engine.change(job, (before, at) -> SlotTransitions.undoStart(before, mine, change.before(), at)));
            throw e;
        }
    }

    private void handleBusy(LeaseName name, OpenSlot candidate, AcquireResult.Busy busy) {
        if (candidate.isRunBy(busy.token())) {
            passAgainAt(watch.alive(name, busy, now));
            return;
        }
        if (watch.isForeign(name, busy, now) && candidate.wasNeverStarted()) {
            handleForeignHolder(candidate, busy);
        }
        passAgainAt(watch.askFor(name, now));
    }

    /** The lease is held by a process that runs no slot of this job. The overlap policy decides. */
    private void handleForeignHolder(OpenSlot candidate, AcquireResult.Busy busy) {
        Overlap overlap = job.overlap();
        String why = "lease " + candidate.lease() + " is held by " + busy.holder() + ", token " + busy.token();
        if (overlap instanceof Overlap.Supersede) {
            takeOver(candidate, busy.token());
        } else if (overlap instanceof Overlap.Fallback other
                && !candidate.lease().equals(other.name())) {
            update(engine.change(
                    job,
                    (before, at) -> stillQueued(before, candidate) ? before.with(candidate.on(other.name())) : before));
            passAgainAt(now);
        } else if (overlap instanceof Overlap.Skip || overlap instanceof Overlap.Fallback) {
            update(engine.change(
                    job,
                    (before, at) -> stillQueued(before, candidate)
                            ? before.with(Outcome.withoutRun(candidate.slot(), Kind.SKIPPED, why, at))
                            : before));
        }
    }

    private static boolean stillQueued(JobRecord record, OpenSlot candidate) {
        return record.openAt(candidate.slot()).filter(candidate::equals).isPresent();
    }

    /**
     * Takes the lease from the run before. All machines use the same attempt id for one attempt of
     * one slot against one token, so that together they raise the token once; the first to record
     * the start runs the slot. A machine that was slow after it read the record finds another token
     * and takes nothing, because a later slot may be running under it.
     *
     * @param seen the token that this slot replaces
     */
    private void takeOver(OpenSlot queued, FencingToken seen) {
        Optional<Workers.Permit> free = engine.tryPermit(job);
        if (free.isEmpty()) {
            return;
        }
        AcquireResult.Busy busy;
        try (Workers.Permit permit = free.get()) {
            busy = takeOver(queued, seen, permit);
        }
        if (busy != null) {
            handleBusy(queued.lease(), queued, busy);
        }
    }

    /**
     * Returns who holds the lease, for the caller to handle after the permit is returned; null if
     * nothing is left to do.
     */
    private AcquireResult.@Nullable Busy takeOver(OpenSlot queued, FencingToken seen, Workers.Permit permit) {
        AttemptId attempt =
                AttemptId.of("supersede-" + queued.slot().toEpochMilli() + "-" + queued.attempt() + "-" + seen);
        Leases leases = engine.leases();
        Note reason = Note.of("slot " + queued.slot() + " supersedes the one before it");
        Optional<Lease> taken = leases.takeOver(queued.lease(), job.terms(), seen, attempt, reason);
        boolean shared = taken.isPresent();
        if (!shared) {
            // A machine got this attempt's grant and died before it recorded the start, or an
            // operator raised the token. Either way the slot can have the lease if it is free.
            AcquireResult asked = leases.poll(queued.lease(), job.terms());
            if (asked instanceof AcquireResult.Busy busy) {
                return busy;
            }
            taken = asked.lease();
        }
        Lease lease = taken.orElseThrow();
        recordAndRun(
                lease,
                permit,
                shared,
                (before, at) -> SlotTransitions.supersede(
                        before, queued.slot(), lease.grant().token(), leases.holder(), at));
        engine.runs().stopReplaced(job, record);
        return null;
    }
}
