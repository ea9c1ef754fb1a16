package dev.leasehold.simulator;

import dev.leasehold.jobs.JobRecord;
import dev.leasehold.jobs.OpenSlot;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks the schedule long after the faults, when all machines but one have been shut down: the
 * remaining machine starts every slot when it is due, and no process holds a lease without working.
 */
final class ScheduleChecks {
    private static final Duration CHECK_EVERY = Duration.ofMillis(100);

    private final SimulatedWorld world;
    private final SlotChecks slots;
    private final Duration bound;
    private final Map<LeaseName, Instant> idleSince = new HashMap<>();
    private Instant lastRunning = Instant.MIN;

    ScheduleChecks(SimulatedWorld world, SlotChecks slots) {
        this.world = world;
        this.slots = slots;
        // Clocks that run at different rates wake a machine late, in proportion to its wait.
        long period = Duration.ofSeconds(slots.plan().seconds()).toMillis();
        this.bound = Duration.ofMillis(200 + period * 7 / 100);
    }

    void begin() {
        // A separate random sequence, so that the choice of the remaining machine does not change
        // what went before.
        SeededRandom random = new SeededRandom(world.scenario().seed() ^ Long.MAX_VALUE);
        List<JobMachine> machines = world.machines();
        int left = (int) random.between(0, machines.size() - 1);
        for (int n = 0; n < machines.size(); n++) {
            if (n != left) {
                world.time()
                        .after(random.between(0, 2 * world.scenario().ttl().toNanos()), machines.get(n)::stopForGood);
            }
        }
        check();
    }

    private void check() {
        if (world.invariants().hasStoreLostData()
                || world.faultInjector().counted().containsKey(SimulatedFault.STORE_CLOCK_BACK)) {
            return;
        }
        Instant now = world.store().clock();
        for (LeaseName name : slots.plan().leases()) {
            checkKept(name, now);
        }
        JobRecord record = slots.record();
        if (record == null || slots.after(record.watermark()).plus(bound).isBefore(now)) {
            violated("no machine checks the job any more: " + (record == null ? null : record.watermark()));
        } else {
            checkQueued(record, now);
        }
        world.time().after(CHECK_EVERY.toNanos(), this::check);
    }

    private void checkKept(LeaseName name, Instant now) {
        LeaseRecord lease = leaseOf(name);
        if (lease == null || !isHeldWithoutWork(lease, now)) {
            idleSince.remove(name);
            return;
        }
        Instant since = idleSince.computeIfAbsent(name, n -> now);
        if (since.plus(bound).isBefore(now)) {
            world.invariants()
                    .violated(
                            Invariant.NOTHING_KEPT,
                            "no process works under " + name + ", token " + lease.token() + ", but it is held by "
                                    + lease.owner().holder());
        }
    }

    private boolean isHeldWithoutWork(LeaseRecord lease, Instant now) {
        return !lease.released()
                && lease.deadline().isAfter(now)
                && !slots.runs().isAnyRunActive(lease.name(), lease.token());
    }

    private void checkQueued(JobRecord record, Instant now) {
        for (OpenSlot slot : record.open()) {
            if (!slot.isQueued()) {
                lastRunning = now;
            }
        }
        for (OpenSlot slot : record.open()) {
            LeaseRecord lease = leaseOf(slot.lease());
            Instant free = lease == null ? Instant.MIN : lease.deadline();
            if (slot.isQueued()
                    && !free.isAfter(now)
                    && opportunity(slot, free).plus(bound).isBefore(now)) {
                violated("no machine starts " + slot + ", but the lease has been free since " + free);
            }
        }
    }

    /**
     * When a machine had to act: when the slot fell due, or at the next slot if the lease was not
     * free then.
     */
    private Instant opportunity(OpenSlot slot, Instant free) {
        Instant possible = free.isAfter(lastRunning) ? free : lastRunning;
        if (!slot.slot().isBefore(possible) && slot.attempt() == 1) {
            return slot.slot();
        }
        Instant later = possible.isAfter(slot.notBefore()) ? possible : slot.notBefore();
        return slots.after(later);
    }

    private @Nullable LeaseRecord leaseOf(LeaseName name) {
        return world.invariants()
                .truth()
                .inspect(name)
                .map(LeaseSnapshot::lease)
                .orElse(null);
    }

    private void violated(String what) {
        world.invariants().violated(Invariant.ON_TIME, what);
    }
}
