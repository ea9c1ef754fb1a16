package dev.leasehold.jobs;

import dev.leasehold.Leases;
import java.time.Duration;
import java.time.Instant;

/**
 * Runs the slots of a job that are due now, one after the other, and returns: for jobs that a crontab or launchd starts. All
 * the rest is as it is for {@link Jobs}, also on several machines.
 */
public final class DueSlots {
    /** Whoever starts us goes by another clock than the store: a slot that is due in a moment is waited for. */
    private static final Duration AHEAD = Duration.ofSeconds(5);

    private static final int MAX_LOOKS = 1000;

    private DueSlots() {}

    /** Returns when the job is due next, by the store's clock. */
    public static Instant run(Leases leases, Job job, JobListener listener) throws InterruptedException {
        JobEngine engine = JobEngine.onCallersThread(leases, listener);
        JobWatch watch = JobWatch.impatient();
        Duration left = AHEAD;
        for (int looks = 0; ; looks++) {
            long before = engine.started();
            JobPass look = new JobPass(engine, job, watch);
            Instant again = look.look();
            if (engine.started() > before) {
                left = Duration.ZERO;
                continue;
            }
            Duration pause = engine.until(again);
            if (look.isPaused() || pause.compareTo(left) > 0 || looks > MAX_LOOKS) {
                return again;
            }
            leases.context().timers().sleep(pause);
            left = left.minus(pause);
        }
    }
}
