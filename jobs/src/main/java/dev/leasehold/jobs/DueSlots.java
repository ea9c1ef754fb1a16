package dev.leasehold.jobs;

import dev.leasehold.Leases;
import java.time.Duration;
import java.time.Instant;

/**
 * Runs the slots of a job that are due now, one after the other, and returns: for jobs that cron or
 * launchd starts. Everything else works as in {@link Jobs}, on several machines too.
 */
public final class DueSlots {
    /**
     * Cron and the store use different clocks, so a slot that is due within this time is
     * waited for.
     */
    private static final Duration AHEAD = Duration.ofSeconds(5);

    private static final int MAX_PASSES = 1000;

    private DueSlots() {}

    /** Returns when the job is due next, by the store's clock. */
    public static Instant run(Leases leases, Job job, JobListener listener) throws InterruptedException {
        JobEngine engine = JobEngine.onCallersThread(leases, listener);
        JobWatch watch = JobWatch.impatient();
        Duration left = AHEAD;
        for (int passes = 0; ; passes++) {
            long before = engine.runs().started();
            JobPass pass = new JobPass(engine, job, watch);
            Instant next = pass.run();
            if (engine.runs().started() > before) {
                left = Duration.ZERO;
                continue;
            }
            Duration pause = engine.until(next);
            if (pass.isPaused() || pause.compareTo(left) > 0 || passes > MAX_PASSES) {
                return next;
            }
            leases.context().timers().sleep(pause);
            left = left.minus(pause);
        }
    }
}
