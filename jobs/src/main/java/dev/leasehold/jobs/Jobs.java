package dev.leasehold.jobs;

import dev.leasehold.Leases;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs scheduled jobs on this machine. Several machines may share the same jobs and the same store:
 * each slot runs on one of them.
 *
 * <pre>{@code
 * Jobs jobs = Jobs.over(leases)
 *         .job("nightly", job -> job.cron("30 2 * * *").zone("Europe/Berlin").run(run -> report(run.slot().at())))
 *         .start();
 * }</pre>
 *
 * <p>Safe for use by many threads. If the store does not answer, the listener is informed and the
 * store is asked again.
 */
public final class Jobs implements AutoCloseable {
    /** How long {@link #close()} lets running work finish. */
    public static final Duration DEFAULT_STOP_LIMIT = Duration.ofSeconds(30);

    private static final int DEFAULT_PARALLEL = 16;
    private static final Duration DEFAULT_LOOK = Duration.ofSeconds(2);

    private final JobEngine engine;
    private final @Nullable SystemWorkers ownWorkers;

    private Jobs(JobEngine engine, @Nullable SystemWorkers ownWorkers) {
        this.engine = engine;
        this.ownWorkers = ownWorkers;
    }

    /** @param leases stays open when the jobs are closed */
    public static Builder over(Leases leases) {
        return new Builder(leases);
    }

    /** Replaces all jobs. Running slots continue, even if their job is no longer among them. */
    public void replace(List<Job> jobs) {
        requireDifferentNames(jobs);
        engine.replace(jobs);
    }

    /** Stops with a limit of half a minute; see {@link #stop}. */
    @Override
    public void close() {
        try {
            stop(DEFAULT_STOP_LIMIT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Starts nothing more and lets running work finish. Work that takes longer is interrupted and
     * left to other machines.
     */
    public void stop(Duration limit) throws InterruptedException {
        try {
            engine.close(limit);
        } finally {
            if (ownWorkers != null) {
                ownWorkers.close();
            }
        }
    }

    private static void requireDifferentNames(List<Job> jobs) {
        Set<String> names = new HashSet<>();
        for (Job job : jobs) {
            if (!names.add(job.name().value())) {
                throw new IllegalArgumentException("two jobs are called " + job.name());
            }
        }
    }

    /** Sets what differs from the defaults. */
    public static final class Builder {
        private final Leases leases;
        private final List<Job> jobs = new ArrayList<>();
        private JobListener listener = JobListener.NONE;
        private int parallel = DEFAULT_PARALLEL;
        private Duration lookForStarts = DEFAULT_LOOK;
        private @Nullable Executor executor;

        private Builder(Leases leases) {
            this.leases = leases;
        }

        public Builder job(String name, Consumer<Job.Builder> settings) {
            Job.Builder builder = Job.named(name);
            settings.accept(builder);
            return job(builder.build());
        }

        public Builder job(Job job) {
            jobs.add(job);
            return this;
        }

        public Builder listener(JobListener value) {
            listener = value;
            return this;
        }

        /** How many slots this machine runs at once; the default is 16. */
        public Builder parallel(int value) {
            if (value < 1) {
                throw new IllegalArgumentException("at least one slot must be able to run");
            }
            parallel = value;
            return this;
        }

        /**
         * Runs slots and accesses to the store. It needs a few more threads than slots run in
         * parallel. A task that it refuses by throwing is offered again; it must not drop a task
         * silently. The default is a private thread pool.
         */
        public Builder executor(Executor value) {
            executor = value;
            return this;
        }

        /**
         * How often to look whether a person has {@linkplain JobStarts#start started} one of the jobs: one
         * call to the store for all jobs. The default is two seconds; with zero, a start is noticed when
         * the job is due.
         */
        public Builder lookForStarts(Duration every) {
            if (every.isNegative()) {
                throw new IllegalArgumentException("the time between two looks is negative");
            }
            lookForStarts = every;
            return this;
        }

        public Jobs start() {
            requireDifferentNames(jobs);
            Executor given = executor;
            SystemWorkers own = given == null ? new SystemWorkers(parallel) : null;
            Executor runs = own == null ? Objects.requireNonNull(given) : own;
            JobEngine engine = new JobEngine(leases, listener, runs, parallel, lookForStarts);
            engine.replace(jobs);
            return new Jobs(engine, own);
        }
    }
}
