package dev.leasehold.jobs;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;

/** The slots that this machine is running. Safe for use by many threads. */
final class LocalRuns {
    private final Set<SlotRun> runs = new LinkedHashSet<>();
    private long started;
    private boolean closed;

    /** How many runs were started since this machine started. */
    synchronized long started() {
        return started;
    }

    synchronized boolean isEmpty() {
        return runs.isEmpty();
    }

    /** @throws RejectedExecutionException after the close */
    synchronized void add(SlotRun run) {
        if (closed) {
            throw new RejectedExecutionException(run.slot() + " is left to other machines: this one was stopped");
        }
        runs.add(run);
        started++;
    }

    synchronized void remove(SlotRun run) {
        runs.remove(run);
    }

    /** Whether this machine is running a slot under the token that the record names. */
    synchronized boolean contains(Job job, OpenSlot running) {
        for (SlotRun run : runs) {
            if (run.job().name().equals(job.name())
                    && running.isRunBy(run.token())
                    && running.slot().equals(run.entry().slot())) {
                return true;
            }
        }
        return false;
    }

    void stopAll() {
        snapshot().forEach(SlotRun::stop);
    }

    /** Stops the runs that the record no longer names, without waiting for their next renewal. */
    void stopReplaced(Job job, JobRecord record) {
        for (SlotRun run : snapshot()) {
            boolean current = record.openAt(run.entry().slot())
                    .filter(entry -> entry.isRunBy(run.token()))
                    .isPresent();
            if (run.job().name().equals(job.name()) && !current) {
                run.stop();
            }
        }
    }

    private synchronized List<SlotRun> snapshot() {
        return List.copyOf(runs);
    }

    synchronized void close() {
        closed = true;
    }
}
