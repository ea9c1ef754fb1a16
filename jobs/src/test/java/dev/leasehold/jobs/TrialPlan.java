package dev.leasehold.jobs;

import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * The jobs of a {@link Trial}. Every job has one slot per minute; without faults each slot starts
 * on time.
 */
enum TrialPlan {
    /** Two jobs on two workers: if a permit is lost, one job is late. */
    PLAIN {
        @Override
        List<Job> jobs(Trial trial) {
            return List.of(
                    job("a").run(trial.work(Duration.ofSeconds(12))).build(),
                    job("b").run(trial.work(Duration.ofSeconds(12))).build());
        }
    },
    /** Every slot takes the lease from the previous one, which is still running. */
    SUPERSEDE {
        @Override
        List<Job> jobs(Trial trial) {
            return List.of(job("a").overlap(new Overlap.Supersede())
                    .run(trial.work(Duration.ofSeconds(90)))
                    .build());
        }
    },
    /** Every other slot runs under another name. */
    FALLBACK {
        @Override
        List<Job> jobs(Trial trial) {
            return List.of(job("a").overlap(new Overlap.Fallback(LeaseName.of("spare")))
                    .run(trial.work(Duration.ofSeconds(90)))
                    .build());
        }
    },
    /** The first attempt of every slot fails. */
    RETRIED {
        @Override
        List<Job> jobs(Trial trial) {
            Job.Work work = trial.work(Duration.ofSeconds(10));
            return List.of(job("a").retries(Retries.of(2, Duration.ofSeconds(5)))
                    .run(run -> {
                        work.run(run);
                        if (run.attempt() == 1) {
                            throw new JobFailedException("exit 1");
                        }
                    })
                    .build());
        }
    };

    private static Job.Builder job(String name) {
        return Job.named(name).cron("* * * * *").terms(LeaseTerms.ofTtl(Duration.ofSeconds(15)));
    }

    abstract List<Job> jobs(Trial trial);

    Set<String> names() {
        return this == PLAIN ? Set.of("a", "b") : Set.of("a");
    }

    int parallel() {
        return 2;
    }

    /**
     * Faults start before this moment, which covers one whole slot, or one slot and its overlap
     * with the next.
     */
    Instant faultsUntil() {
        return Instant.parse(alwaysBusy() ? "2026-01-01T00:02:10Z" : "2026-01-01T00:01:40Z");
    }

    /** Whether a slot is always running, so that a lease is always held. */
    boolean alwaysBusy() {
        return this == SUPERSEDE || this == FALLBACK;
    }
}
