package dev.leasehold.metrics;

import dev.leasehold.AcquireResult;
import dev.leasehold.Lease;
import dev.leasehold.LeaseListener;
import dev.leasehold.jobs.EndedAttempt;
import dev.leasehold.jobs.Job;
import dev.leasehold.jobs.JobListener;
import dev.leasehold.jobs.Outcome;
import dev.leasehold.jobs.Slot;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Release;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.Transfer;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;

/**
 * Counts what happens to the leases and jobs of this process in a Micrometer registry, under names
 * that start with {@code leasehold.}:
 *
 * <pre>{@code
 * LeaseMetrics metrics = LeaseMetrics.on(registry);
 * Leases leases = Leases.over(MeteredStore.timed(store, registry)).listener(metrics).build();
 * Jobs jobs = Jobs.over(leases).listener(metrics).start();
 * }</pre>
 *
 * <p>Safe for use by many threads. What a registry throws is logged by the leases and changes
 * nothing. A lease that is passed on with {@link Lease#detach()} has no hold time, because nobody
 * here learns when it ends.
 */
public final class LeaseMetrics implements LeaseListener, JobListener {
    private final MetersByName<HolderMeters> leases;
    private final MetersByName<JobMeters> jobs;

    private LeaseMetrics(MetersByName<HolderMeters> leases, MetersByName<JobMeters> jobs) {
        this.leases = leases;
        this.jobs = jobs;
    }

    /** Metrics of all leases together. No name of a lease becomes a tag. */
    public static LeaseMetrics on(MeterRegistry registry) {
        return new LeaseMetrics(
                MetersByName.common(tags -> new HolderMeters(registry, tags)),
                MetersByName.common(tags -> new JobMeters(registry, tags)));
    }

    /**
     * Metrics of each lease and each job, with the tag {@code name}.
     *
     * <p><b>Only for a process with few names.</b> A registry keeps some thirty series for each name for as long
     * as the process runs, and so does the system that collects them. The first 1000 names have series
     * of their own; the others share series with the name {@code (others)}. The series of a name begin
     * with its first event, which functions such as {@code increase} of Prometheus therefore miss.
     *
     * <p>Not beside {@link #on} in one registry: Prometheus allows only one set of labels for each metric.
     */
    public static LeaseMetrics withNames(MeterRegistry registry) {
        return new LeaseMetrics(
                MetersByName.each(tags -> new HolderMeters(registry, tags)),
                MetersByName.each(tags -> new JobMeters(registry, tags)));
    }

    private HolderMeters of(Lease lease) {
        return leases.of(lease.grant().name());
    }

    @Override
    public void acquired(Lease lease, Transfer transfer) {
        of(lease).leases().acquired(transfer.reason());
    }

    @Override
    public void skipped(LeaseName name, AcquireResult.Busy busy) {
        leases.of(name).leases().busy();
    }

    @Override
    public void renewed(Lease lease, Duration gap) {
        of(lease).renewed(lease, gap);
    }

    @Override
    public void staleRefused(Lease lease, String explanation) {
        of(lease).leases().refused();
    }

    @Override
    public void lost(Lease lease, Loss loss) {
        HolderMeters meters = of(lease);
        meters.leases().lost(loss);
        meters.lost(lease);
    }

    @Override
    public void released(Lease lease, Release release) {
        HolderMeters meters = of(lease);
        meters.leases().released(release);
        meters.released(lease);
    }

    @Override
    public void releaseFailed(Lease lease, StoreUnavailableException failure) {
        HolderMeters meters = of(lease);
        meters.leases().releaseUnanswered();
        meters.releaseUnanswered(lease);
    }

    @Override
    public void ended(Job job, Outcome outcome) {
        jobs.of(job.name()).ended(outcome);
    }

    @Override
    public void again(Slot slot, EndedAttempt ended) {
        jobs.of(slot.job()).again(ended);
    }

    @Override
    public void trouble(Job job, String what) {
        jobs.of(job.name()).trouble();
    }
}
