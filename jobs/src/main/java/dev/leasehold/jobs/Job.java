package dev.leasehold.jobs;

import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A job: its schedule, its policies and its work.
 *
 * @param name the name of the job and of the lease that its runs acquire
 * @param jitter the longest random delay of a slot after it is due
 * @param startWithin a slot that has not started within this time after it was due does not run;
 *     null for no limit
 */
public record Job(
        LeaseName name,
        Schedule schedule,
        LeaseTerms terms,
        Overlap overlap,
        CatchUp catchUp,
        Retries retries,
        Duration jitter,
        @Nullable Duration startWithin,
        Work work) {
    /**
     * How often a slot is restarted after its machine died, stalled or lost its lease. After that
     * it fails.
     */
    public static final int MAX_REPLACEMENTS = 3;

    /** With this limit the name, an @ and the slot's time fit into a work key. */
    public static final int MAX_NAME_LENGTH = 160;

    public Job {
        if (name.value().length() > MAX_NAME_LENGTH) {
            throw new IllegalArgumentException(
                    "the name of a job has " + name.value().length() + " characters: at most " + MAX_NAME_LENGTH
                            + " are allowed, so that its slots have a key");
        }
        if (jitter.isNegative()) {
            throw new IllegalArgumentException("the jitter must not be negative");
        }
        if (startWithin != null && startWithin.compareTo(jitter) <= 0) {
            throw new IllegalArgumentException("start-within must be longer than the jitter, which is part of it");
        }
        if (overlap instanceof Overlap.Fallback fallback && fallback.name().equals(name)) {
            throw new IllegalArgumentException("the name to fall back to is the job's own");
        }
    }

    /**
     * The work of a job. It runs on a separate thread, which is interrupted when the lease is lost.
     */
    @FunctionalInterface
    public interface Work {
        /**
         * Does the work of one slot. An {@link Error} is logged and counts as a failure.
         *
         * @throws Exception if the work failed; the slot is tried again if the job's retries
         *     allow it
         */
        void run(JobRun run) throws Exception;
    }

    public static Builder named(String name) {
        return new Builder(LeaseName.of(name));
    }

    /** Builds a job. The cron expression and the work are required; the rest has defaults. */
    public static final class Builder {
        private final LeaseName name;
        private ZoneId zone = ZoneId.of("UTC");
        private LeaseTerms terms = LeaseTerms.DEFAULT;
        private Overlap overlap = Overlap.SKIP;
        private CatchUp catchUp = CatchUp.LATEST_ONE;
        private Retries retries = Retries.NONE;
        private Duration jitter = Duration.ZERO;
        private @Nullable Duration startWithin;
        private @Nullable String cron;
        private @Nullable Work work;

        private Builder(LeaseName name) {
            this.name = name;
        }

        public Builder cron(String value) {
            cron = value;
            return this;
        }

        public Builder zone(String value) {
            return zone(Schedule.zone(value));
        }

        /** The default is UTC. */
        public Builder zone(ZoneId value) {
            zone = value;
            return this;
        }

        /** The default is a ttl of 90 s. */
        public Builder terms(LeaseTerms value) {
            terms = value;
            return this;
        }

        public Builder overlap(Overlap value) {
            overlap = value;
            return this;
        }

        public Builder catchUp(CatchUp value) {
            catchUp = value;
            return this;
        }

        public Builder retries(Retries value) {
            retries = value;
            return this;
        }

        public Builder jitter(Duration value) {
            jitter = value;
            return this;
        }

        public Builder startWithin(Duration value) {
            startWithin = value;
            return this;
        }

        public Builder run(Work value) {
            work = value;
            return this;
        }

        public Job build() {
            Schedule schedule = Schedule.of(Objects.requireNonNull(cron, "a job needs a cron expression"), zone);
            Work body = Objects.requireNonNull(work, "a job needs its work");
            return new Job(name, schedule, terms, overlap, catchUp, retries, jitter, startWithin, body);
        }
    }
}
