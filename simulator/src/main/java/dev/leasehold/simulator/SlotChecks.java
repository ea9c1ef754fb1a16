package dev.leasehold.simulator;

import dev.leasehold.jobs.JobRecord;
import dev.leasehold.jobs.JobRecords;
import dev.leasehold.jobs.OpenSlot;
import dev.leasehold.jobs.Outcome;
import dev.leasehold.jobs.Slot;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the job's record directly in the store and checks that every due slot is open or has
 * exactly one outcome, and that no slot is recorded as run whose work did not run. It computes on
 * its own which slots are due.
 */
final class SlotChecks {
    private final SimulatedWorld world;
    private final SlotPlan plan;
    private final JobRecords truth;
    private final Map<Instant, Outcome> ended = new HashMap<>();
    private final Set<Instant> worked = new HashSet<>();
    private final ActiveRuns runs;
    private final SupersedeChecks supersedeChecks;
    private @Nullable JobRecord before;

    SlotChecks(SimulatedWorld world, SlotPlan plan) {
        this.world = world;
        this.plan = plan;
        this.truth = new JobRecords(world.store());
        this.runs = new ActiveRuns(world);
        this.supersedeChecks = new SupersedeChecks(world);
    }

    SlotPlan plan() {
        return plan;
    }

    ActiveRuns runs() {
        return runs;
    }

    /** The record in the store. */
    @Nullable
    JobRecord record() {
        return before;
    }

    void worked(Slot slot) {
        worked.add(slot.at());
    }

    void storeChanged(String key) {
        if (key.equals("lease/" + Invariants.NAME)) {
            supersedeChecks.leaseChanged(before);
        }
        if (key.equals("slots/" + Invariants.NAME) && !world.invariants().hasStoreLostData()) {
            JobRecord after = truth.read(Invariants.NAME).orElseThrow().record();
            if (before != null) {
                changed(before, after);
            }
            before = after;
        }
    }

    private void changed(JobRecord from, JobRecord to) {
        if (to.watermark().isBefore(from.watermark())) {
            violated("the watermark went back from " + from.watermark() + " to " + to.watermark());
        }
        if (to.outcomes().size() < from.outcomes().size()) {
            violated("outcomes are missing: " + from.outcomes() + " became " + to.outcomes());
            return;
        }
        List<Outcome> newer =
                to.outcomes().subList(0, to.outcomes().size() - from.outcomes().size());
        if (!to.outcomes().subList(newer.size(), to.outcomes().size()).equals(from.outcomes())) {
            violated("outcomes were changed from " + from.outcomes() + " to " + to.outcomes());
        }
        newer.forEach(this::end);
        Set<Instant> open = new HashSet<>();
        for (OpenSlot slot : to.open()) {
            open.add(slot.slot());
            if (ended.containsKey(slot.slot())) {
                violated(slot.slot() + " has ended as " + ended.get(slot.slot()).kind() + " and is open again");
            }
        }
        from.open().forEach(slot -> requireKnown(slot.slot(), open));
        for (Instant due = after(from.watermark()); !due.isAfter(to.watermark()); due = after(due)) {
            requireKnown(due, open);
        }
        long counted =
                to.counters().values().stream().mapToLong(Long::longValue).sum();
        if (counted != ended.size()) {
            violated(counted + " slots are counted, but " + ended.size() + " have ended");
        }
    }

    private void requireKnown(Instant slot, Set<Instant> open) {
        if (!open.contains(slot) && !ended.containsKey(slot)) {
            violated(slot + " was due, but is neither open nor has an outcome");
        }
    }

    private void end(Outcome outcome) {
        long slots = 0;
        for (Instant slot = outcome.from(); !slot.isAfter(outcome.to()); slot = after(slot)) {
            slots++;
            Outcome other = ended.put(slot, outcome);
            if (other != null) {
                violated(slot + " ended as " + other.kind() + " and as " + outcome.kind());
            }
        }
        if (slots != outcome.slots()) {
            violated(outcome + " claims " + outcome.slots() + " slots, but covers " + slots);
        }
        if (outcome.kind() == Outcome.Kind.RAN && !worked.contains(outcome.from())) {
            violated(outcome.from() + " is recorded as run, but its work did not run");
        }
    }

    /** The first slot after a moment. */
    Instant after(Instant moment) {
        long seconds = plan.seconds();
        return Instant.ofEpochSecond((Math.floorDiv(moment.getEpochSecond(), seconds) + 1) * seconds);
    }

    /**
     * Checks, some time after the faults have stopped, that machines act when a slot is due and
     * that no slot stays open too long. If the store's clock was set back, everything waits until
     * that time has come again, as intended.
     */
    void checkEnd(Duration longEnough) {
        if (world.invariants().hasStoreLostData()
                || world.faultInjector().counted().containsKey(SimulatedFault.STORE_CLOCK_BACK)) {
            return;
        }
        Instant limit = world.store().clock().minus(longEnough);
        JobRecord record = before;
        if (record == null || after(record.watermark()).isBefore(limit)) {
            violated("no machine checks the job any more: " + (record == null ? null : record.watermark()));
        } else {
            for (OpenSlot slot : record.open()) {
                if (latestTurn(slot).isBefore(limit)) {
                    violated("the slot does not end: " + slot);
                }
            }
        }
    }

    /**
     * The time of the latest try. A slot has few tries, but each may take long and wait for runs of
     * other slots, so the age of the slot says little.
     */
    private static Instant latestTurn(OpenSlot slot) {
        OpenSlot.Run run = slot.run();
        return run == null ? slot.notBefore() : run.since();
    }

    private void violated(String what) {
        world.invariants().violated(Invariant.ONE_OUTCOME, what);
    }
}
