package dev.leasehold;

import dev.leasehold.internal.SlotCounter;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Release;
import dev.leasehold.model.Transfer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts what happens to leases, under the names that {@code leasehold explain --json} shows:
 * {@code acquired}, {@code renewals}, {@code released}, {@code skipped_overlap}, {@code
 * stale_refused}, {@code dropped_slots}, and the {@link Loss.Kind#counter()} of each loss. Skips
 * are counted apart from failures. Safe for use by many threads.
 */
public final class LeaseCounters implements LeaseListener, SlotCounter {
    private final Map<String, Long> counts = new TreeMap<>();
    private Duration longestGap = Duration.ZERO;

    /** The counts so far. An event that never happened has no entry. */
    public synchronized Map<String, Long> counts() {
        return new TreeMap<>(counts);
    }

    /** The longest time between two renewals of a lease, over all leases. */
    public synchronized Duration longestGap() {
        return longestGap;
    }

    private void count(String what) {
        count(what, 1);
    }

    private synchronized void count(String what, long times) {
        counts.merge(what, times, Long::sum);
    }

    @Override
    public void acquired(Lease lease, Transfer transfer) {
        count("acquired");
    }

    @Override
    public void skipped(LeaseName name, AcquireResult.Busy busy) {
        count("skipped_overlap");
    }

    @Override
    public synchronized void renewed(Lease lease, Duration gap) {
        count("renewals");
        longestGap = gap.compareTo(longestGap) > 0 ? gap : longestGap;
    }

    @Override
    public void staleRefused(Lease lease, String explanation) {
        count("stale_refused");
    }

    @Override
    public void slotSkipped(LeaseName job, Instant slot) {
        count("skipped_overlap");
    }

    @Override
    public void slotsDropped(LeaseName job, long slots) {
        count("dropped_slots", slots);
    }

    @Override
    public void lost(Lease lease, Loss loss) {
        count(loss.kind().counter());
    }

    @Override
    public void released(Lease lease, Release release) {
        count("released");
    }
}
