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

/** One look of one machine at one job: settles what is due, takes the turns that it can get, and says when to look again. */
final class JobPass {
    private final JobEngine engine;
    private final Job job;
    private final JobWatch watch;
    private JobRecord record;
    private Instant now;
    private Instant again = Instant.MAX;

    JobPass(JobEngine engine, Job job, JobWatch watch) {
        this.engine = engine;
        this.job = job;
        this.watch = watch;
        this.now = Instant.MIN;
        this.record = JobRecord.first(Instant.MIN);
    }

    /** When to look again, by the store's clock. */
    Instant look() {
        settle();
        Set<LeaseName> names = new LinkedHashSet<>();
        record.open().forEach(entry -> names.add(entry.lease()));
        for (LeaseName name : names) {
            takeTurn(name);
        }
        // Everything up to now is settled, so what comes after the watermark lies ahead.
        job.schedule().nextAfter(record.watermark()).ifPresent(this::lookAt);
        for (OpenSlot entry : record.open()) {
            if (entry.isQueued() && entry.notBefore().isAfter(now)) {
                lookAt(entry.notBefore());
            }
            if (entry.isQueued() && entry.notAfter() != null) {
                lookAt(entry.notAfter().plusMillis(1));
            }
        }
        return again;
    }

    /** Whether the job was, when it was looked at. */
    boolean isPaused() {
        return record.pause() != null;
    }

    private void settle() {
        Duration jitter = job.jitter().isZero() ? Duration.ZERO : engine.upTo(job.jitter());
        learn(engine.change(job, (before, at) -> DueSlotPolicy.settle(job, before, at, jitter)));
    }

    private void learn(JobRecords.Change change) {
        record = change.after();
        now = change.at();
    }

    private void lookAt(Instant at) {
        again = at.isBefore(again) ? at : again;
    }

    private void takeTurn(LeaseName name) {
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
                lookAt(ask);
            } else {
                start(name, queued.get());
            }
        }
    }

    /**
     * A run of another machine: nothing to do while its lease lasts.
     *
     * @param awaited whether a slot waits for the end of it
     */
    private void replaceIfLost(OpenSlot running, boolean awaited) {
        OpenSlot.Run run = running.run();
        if (run == null || record.pause() != null || engine.isRunningHere(job, running)) {
            return;
        }
        lookAt(watch.readAgain(awaited, job.terms().heartbeat(), now));
        Instant ask = watch.askAbout(running.lease(), run.token(), job.terms().heartbeat(), now);
        if (ask.isAfter(now)) {
            lookAt(ask);
        } else {
            start(running.lease(), running);
        }
    }

    private void start(LeaseName name, OpenSlot candidate) {
        Optional<Workers.Permit> free = engine.tryPermit(job);
        if (free.isEmpty()) {
            // Every worker is busy here. Another machine may be free; else this job is looked at when a worker is.
            return;
        }
        AcquireResult attempt;
        try (Workers.Permit permit = free.get()) {
            attempt = engine.leases().poll(name, job.terms());
            if (attempt instanceof AcquireResult.Acquired acquired) {
                watch.forget(name);
                Lease lease = acquired.held();
                run(
                        lease,
                        permit,
                        false,
                        (before, at) -> SlotTransitions.take(
                                before,
                                name,
                                lease.grant().token(),
                                engine.leases().holder(),
                                at));
            }
        }
        // The permit is back by now: what follows may need it.
        if (attempt instanceof AcquireResult.Busy busy) {
            busy(name, candidate, busy);
        }
    }

    /**
     * Writes down whose turn it is, and runs it if it is ours.
     *
     * @param shared whether other machines may have the same grant; then it is not ours to give back
     */
    private void run(
            Lease lease, Workers.Permit permit, boolean shared, BiFunction<JobRecord, Instant, JobRecord> turn) {
        boolean started = false;
        boolean others = shared;
        try {
            JobRecords.Change change = engine.change(job, turn);
            learn(change);
            Optional<OpenSlot> mine = record.open().stream()
                    .filter(entry -> entry.lease().equals(lease.grant().name())
                            && entry.isRunBy(lease.grant().token()))
                    .findFirst();
            others = shared && mine.isPresent();
            // Only what this very change started is this machine's to run.
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
            // It was never begun, so this was no try of it, and whoever has a thread may start it at once.
            learn(engine.change(job, (before, at) -> SlotTransitions.takeBack(before, mine, change.before(), at)));
            throw e;
        }
    }

    private void busy(LeaseName name, OpenSlot candidate, AcquireResult.Busy busy) {
        if (candidate.isRunBy(busy.token())) {
            lookAt(watch.alive(name, busy, now));
            return;
        }
        if (watch.isStranger(name, busy, now) && candidate.wasNeverStarted()) {
            yieldTo(candidate, busy);
        }
        lookAt(watch.askFor(name, now));
    }

    /** The lease is held by somebody who has nothing to do with this job's slots: its overlap policy decides. */
    private void yieldTo(OpenSlot candidate, AcquireResult.Busy busy) {
        Overlap overlap = job.overlap();
        String why = "lease " + candidate.lease() + " is held by " + busy.holder() + ", token " + busy.token();
        if (overlap instanceof Overlap.Supersede) {
            takeOver(candidate, busy.token());
        } else if (overlap instanceof Overlap.Fallback other
                && !candidate.lease().equals(other.name())) {
            learn(engine.change(
                    job,
                    (before, at) -> stillQueued(before, candidate) ? before.with(candidate.on(other.name())) : before));
            lookAt(now);
        } else if (overlap instanceof Overlap.Skip || overlap instanceof Overlap.Fallback) {
            learn(engine.change(
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
     * All machines show the same attempt id for one try of one slot against one token, so that together they raise it once;
     * whose run it is, is decided by whoever writes it down first. A machine that was slow since it read the record finds
     * another token, and takes nothing: a later slot may be running under it.
     *
     * @param seen the token that this slot is to replace
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
            busy(queued.lease(), queued, busy);
        }
    }

    /** Null if there is nothing more to do; else who has the lease, which the caller looks into when the permit is back. */
    private AcquireResult.@Nullable Busy takeOver(OpenSlot queued, FencingToken seen, Workers.Permit permit) {
        AttemptId attempt =
                AttemptId.of("supersede-" + queued.slot().toEpochMilli() + "-" + queued.attempt() + "-" + seen);
        Leases leases = engine.leases();
        Note reason = Note.of("slot " + queued.slot() + " supersedes the one before it");
        Optional<Lease> taken = leases.takeOver(queued.lease(), job.terms(), seen, attempt, reason);
        boolean shared = taken.isPresent();
        if (!shared) {
            // This try has had its grant, and whoever got it did not live to write it down; or an operator raised the
            // token. Either way it is a lease like any other now: this slot's if it is free.
            AcquireResult asked = leases.poll(queued.lease(), job.terms());
            if (asked instanceof AcquireResult.Busy busy) {
                return busy;
            }
            taken = asked.lease();
        }
        Lease lease = taken.orElseThrow();
        run(
                lease,
                permit,
                shared,
                (before, at) -> SlotTransitions.supersede(
                        before, queued.slot(), lease.grant().token(), leases.holder(), at));
        engine.stopReplaced(job, record);
        return null;
    }
}
