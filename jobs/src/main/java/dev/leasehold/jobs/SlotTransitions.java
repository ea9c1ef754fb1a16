package dev.leasehold.jobs;

import dev.leasehold.jobs.Outcome.Kind;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides which slot starts next and what the end of a run means for its slot, as pure
 * functions on a job's record. A run is identified by its token, so a run that was replaced
 * cannot change anything.
 */
final class SlotTransitions {
    private SlotTransitions() {}

    /** The queued slot that starts next under a lease name, if one may start now. */
    static Optional<OpenSlot> nextQueued(JobRecord record, LeaseName lease, Instant now) {
        if (record.pause() != null) {
            return Optional.empty();
        }
        return record.open().stream()
                .filter(entry -> entry.isQueued() && entry.lease().equals(lease))
                .filter(entry -> !entry.notBefore().isAfter(now))
                .findFirst();
    }

    /**
     * Starts a slot for the owner of a lease: the slot whose runner was lost, or else the oldest
     * queued one. If there is none, no slot of the result is run by this token.
     */
    static JobRecord start(JobRecord record, LeaseName lease, FencingToken token, Holder holder, Instant now) {
        Optional<OpenSlot> running = record.runningOn(lease);
        if (record.pause() != null || (running.isPresent() && !isLost(running.get(), token))) {
            return record;
        }
        if (running.isPresent()) {
            JobRecord replaced = withoutRunner(record, running.get(), now);
            if (replaced.openAt(running.get().slot()).isEmpty()) {
                return start(replaced, lease, token, holder, now);
            }
            record = replaced;
        }
        JobRecord current = record;
        return nextQueued(current, lease, now)
                .map(entry -> current.with(entry.running(token, holder, now)))
                .orElse(current);
    }

    /** Starts a slot that supersedes, and ends the one that is running. */
    static JobRecord supersede(JobRecord record, Instant slot, FencingToken token, Holder holder, Instant now) {
        Optional<OpenSlot> mine = record.openAt(slot).filter(entry -> entry.isQueued() && entry.supersedes());
        if (mine.isEmpty() || record.pause() != null) {
            return record;
        }
        Optional<OpenSlot> running = record.runningOn(mine.get().lease());
        if (running.isPresent() && !isLost(running.get(), token)) {
            return record;
        }
        JobRecord ended = running.map(entry -> record.with(
                        ended(entry, Kind.FAILED, "superseded by slot " + slot + ", which took its lease", now)))
                .orElse(record);
        return ended.with(mine.get().running(token, holder, now));
    }

    /** Undoes the start of a slot whose run could not be begun: the slot is queued as before. */
    static JobRecord undoStart(JobRecord record, OpenSlot mine, JobRecord before, Instant now) {
        if (!record.open().contains(mine)) {
            return record;
        }
        OpenSlot waiting = before.openAt(mine.slot()).filter(OpenSlot::isQueued).orElse(mine.handedOn(now));
        return record.with(waiting);
    }

    private static boolean isLost(OpenSlot entry, FencingToken token) {
        OpenSlot.Run run = entry.run();
        return run != null && run.token().isBelow(token);
    }

    /** Queues a slot whose runner was lost, or fails it if that happened too often. */
    private static JobRecord withoutRunner(JobRecord record, OpenSlot entry, Instant now) {
        if (entry.deaths() < Job.MAX_REPLACEMENTS) {
            return record.with(entry.orphaned(now));
        }
        return record.with(ended(
                entry,
                Kind.FAILED,
                "its runner was lost " + (entry.deaths() + 1) + " times (died, stalled or cut off)",
                now));
    }

    // --- the end of a run

    /** How a run ended, as the machine that ran it saw it. */
    sealed interface End {
        /** The work was done. */
        record Done(String detail) implements End {}

        /** The work failed. */
        record Failed(String detail) implements End {}

        /** The lease was lost while it ran. */
        record Lost(String detail) implements End {}

        /** The machine was stopped before the work ended. */
        record Stopped() implements End {}
    }

    /** Returns the record after a run; the same object if the run was replaced meanwhile. */
    static JobRecord finish(Job job, JobRecord record, Instant slot, FencingToken token, End end, Instant now) {
        Optional<OpenSlot> mine = record.openAt(slot).filter(entry -> entry.isRunBy(token));
        if (mine.isEmpty()) {
            return record;
        }
        OpenSlot entry = mine.get();
        if (end instanceof End.Done done) {
            return record.with(ended(entry, Kind.RAN, done.detail, now));
        }
        if (end instanceof End.Stopped) {
            return record.with(entry.handedOn(now));
        }
        if (end instanceof End.Lost) {
            return withoutRunner(record, entry, now);
        }
        Retries retries = job.retries();
        if (entry.failures() < retries.max()) {
            return record.with(entry.failedUntil(now.plus(retries.pauseAfter(entry.failures() + 1))));
        }
        return record.with(ended(entry, Kind.FAILED, ((End.Failed) end).detail, now));
    }

    private static Outcome ended(OpenSlot entry, Kind kind, String reason, Instant now) {
        OpenSlot.Run run = entry.run();
        Duration took = run == null ? Duration.ZERO : Duration.between(run.since(), now);
        return new Outcome(
                entry.slot(),
                entry.slot(),
                1,
                kind,
                reason,
                run == null ? null : run.token(),
                entry.attempt(),
                now,
                took,
                run == null ? null : run.holder());
    }
}
