package dev.leasehold.simulator;

import dev.leasehold.jobs.CatchUp;
import dev.leasehold.jobs.Job;
import dev.leasehold.jobs.Overlap;
import dev.leasehold.jobs.Retries;
import dev.leasehold.jobs.Schedule;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a simulation's job.
 *
 * @param seconds the job is due whenever the clock shows a multiple of this
 * @param parallel how many slots one machine runs at once
 */
record SlotPlan(
        int seconds,
        Duration ttl,
        Overlap overlap,
        CatchUp catchUp,
        Retries retries,
        @Nullable Duration startWithin,
        int parallel) {
    private static final int LONGEST = 6;
    private static final LeaseName BESIDE = LeaseName.of("job-beside");

    /** Cached, because parsing a cron expression takes longer than a simulation. */
    private static final List<Schedule> EVERY_SECONDS = everySeconds();

    private static List<Schedule> everySeconds() {
        List<Schedule> all = new ArrayList<>();
        for (int seconds = 1; seconds <= LONGEST; seconds++) {
            all.add(Schedule.of("*/" + seconds + " * * * * *", ZoneOffset.UTC));
        }
        return all;
    }

    static SlotPlan draw(SeededRandom random, Duration ttl, int parallel) {
        return new SlotPlan(
                (int) random.between((ttl.toSeconds() + 1) / 2, Math.min(LONGEST, ttl.toSeconds() + 1)),
                ttl,
                overlap(random, ttl),
                CatchUp.latest((int) random.between(0, 3)),
                Retries.of((int) random.between(0, 2), Duration.ofMillis(200)),
                random.oneIn(4) ? ttl : null,
                parallel);
    }

    private static Overlap overlap(SeededRandom random, Duration ttl) {
        return switch ((int) random.between(0, 4)) {
            case 0 -> Overlap.SKIP;
            case 1 -> new Overlap.Wait(ttl);
            case 2 -> new Overlap.Fallback(BESIDE);
            case 3 -> new Overlap.Buffer();
            default -> new Overlap.Supersede();
        };
    }

    /** The names of the leases that its runs acquire. */
    List<LeaseName> leases() {
        return List.of(Invariants.NAME, BESIDE);
    }

    Job job(Job.Work work) {
        return new Job(
                Invariants.NAME,
                EVERY_SECONDS.get(seconds - 1),
                LeaseTerms.ofTtl(ttl),
                overlap,
                catchUp,
                retries,
                Duration.ZERO,
                startWithin,
                work);
    }
}
