package dev.leasehold.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import dev.leasehold.model.Note;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The decisions about slots, on records alone. */
class DueSlotPolicyTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final int HISTORY = Integer.getInteger("leasehold.history", 5000);
    private static final int PASSES = 500;
    private static final Holder HOLDER = Holder.of("m1");

    private final List<String> ran = new ArrayList<>();

    private Job job(Consumer<Job.Builder> settings) {
        return JobsWorld.job(ran, settings);
    }

    private static JobRecord decide(Job job, JobRecord record, Instant now) {
        return DueSlotPolicy.apply(job, record, now, Duration.ZERO);
    }

    @Test
    void nothingIsDueAtTheFirstPass() {
        JobRecord first = decide(job(j -> {}), JobRecord.first(START), START);

        assertThat(first.open()).isEmpty();
        assertThat(first.outcomes()).isEmpty();
        assertThat(decide(job(j -> {}), first, START.plusSeconds(59))).isSameAs(first);
    }

    /**
     * The cost of a pass does not depend on the age of the job: the times are printed, the
     * size is asserted.
     */
    @Test
    void aRecordDoesNotGrowWithItsHistory() {
        Job job = job(j -> {});
        JobRecord record = decide(job, JobRecord.first(START), START);
        int early = 0;
        for (int slot = 1; slot <= HISTORY; slot++) {
            Instant now = START.plusSeconds(60L * slot);
            FencingToken token = FencingToken.of(slot);
            record = SlotTransitions.start(decide(job, record, now), job.name(), token, HOLDER, now);
            record = SlotTransitions.finish(job, record, now, token, new SlotTransitions.End.Done(""), now);
            early = slot == 200 ? JobRecordText.format(record).length() : early;
            if (slot == 10 || slot == 200 || slot == HISTORY) {
                System.out.println("a pass after " + slot + " slots: " + microsPerPass(job, record) + " us");
            }
        }

        assertThat(record.counters()).containsEntry("ran", (long) HISTORY);
        assertThat(record.outcomes()).hasSize(JobRecord.OUTCOMES_KEPT);
        assertThat(JobRecordText.format(record).length()).isLessThan(early + early / 10);
        assertThat(JobRecordText.parse(JobRecordText.format(record))).isEqualTo(record);
    }

    /** The median time to read the record, decide the due slots and find the next one. */
    private static long microsPerPass(Job job, JobRecord record) {
        String text = JobRecordText.format(record);
        long[] nanos = new long[PASSES];
        for (int i = 0; i < PASSES; i++) {
            long begun = System.nanoTime();
            JobRecord read =
                    decide(job, JobRecordText.parse(text), record.watermark().plusMillis(i + 1));
            Schedule.of("* * * * *", ZoneOffset.UTC).nextAfter(read.watermark());
            nanos[i] = System.nanoTime() - begun;
        }
        Arrays.sort(nanos);
        return nanos[PASSES / 2] / 1000;
    }

    @Test
    void aYearWithoutMachinesIsOneOutcomeWithACappedCount() {
        Job job = job(j -> j.cron("* * * * * *").catchUp(CatchUp.latest(2)));
        JobRecord before = decide(job, JobRecord.first(START), START);
        Instant back = START.plus(Duration.ofDays(365));

        JobRecord after = decide(job, before, back);

        assertThat(after.open()).extracting(OpenSlot::slot).containsExactly(back.minusSeconds(1), back);
        assertThat(after.outcomes()).singleElement().satisfies(dropped -> {
            assertThat(dropped.from()).isEqualTo(START.plusSeconds(1));
            assertThat(dropped.to()).isEqualTo(back.minusSeconds(2));
            assertThat(dropped.slots()).isEqualTo(Outcome.MAX_COUNTED);
        });
        assertThat(after.watermark()).isEqualTo(back);
    }

    @Test
    void aJobWithoutCatchUpStillRunsSlotsThatAreOnTime() {
        Job job = job(j -> j.cron("0 * * * *").catchUp(CatchUp.latest(0)));
        JobRecord before = decide(job, JobRecord.first(START), START);

        assertThat(decide(job, before, START.plus(Duration.ofMinutes(60)).plusSeconds(5))
                        .open())
                .hasSize(1);
        assertThat(decide(job, before, START.plus(Duration.ofMinutes(65))).outcomes())
                .singleElement()
                .satisfies(outcome -> assertThat(outcome.reason()).contains("catches up with none"));
    }

    @Test
    void onlySlotsWithinTheWindowAreCaughtUp() {
        Job job = job(j -> j.cron("0 * * * *").catchUp(new CatchUp(10, Duration.ofHours(2))));
        JobRecord before = decide(job, JobRecord.first(START), START);

        JobRecord after = decide(job, before, START.plus(Duration.ofMinutes(9 * 60 + 30)));

        assertThat(after.open())
                .extracting(entry -> JobsWorld.time(entry.slot()))
                .containsExactly("08:00", "09:00");
        assertThat(after.counters()).containsEntry("dropped", 7L);
    }

    @Test
    void aStartDeadlineCountsFromWhenTheSlotWasDue() {
        Job job = job(j -> j.cron("0 * * * *").startWithin(Duration.ofMinutes(10)));
        JobRecord before = decide(job, JobRecord.first(START), START);

        JobRecord late = decide(job, before, START.plus(Duration.ofMinutes(75)));
        assertThat(late.open()).isEmpty();
        assertThat(late.counters()).containsEntry("dropped", 1L);

        JobRecord queued = decide(job, before, START.plus(Duration.ofMinutes(61)));
        JobRecord never = decide(job, queued, START.plus(Duration.ofMinutes(71)));
        assertThat(queued.open()).hasSize(1);
        assertThat(never.open()).isEmpty();
        assertThat(never.outcomes().get(0).reason()).contains("not started within 10m");
    }

    @Test
    void theWatermarkDoesNotGoBackWithTheClock() {
        Job job = job(j -> {});
        JobRecord record = decide(job, JobRecord.first(START), START);
        record = decide(job, record, START.plusSeconds(600));

        assertThat(decide(job, record, START.plusSeconds(60))).isSameAs(record);
    }

    @Test
    void aRunWithAnOldTokenCannotFinishItsSlot() {
        Job job = job(j -> {});
        Instant slot = START.plusSeconds(60);
        JobRecord record = decide(job, JobRecord.first(START), START);
        record = SlotTransitions.start(decide(job, record, slot), job.name(), FencingToken.of(7), HOLDER, slot);
        JobRecord taken =
                SlotTransitions.start(record, job.name(), FencingToken.of(8), Holder.of("m2"), slot.plusSeconds(100));

        assertThat(SlotTransitions.finish(job, taken, slot, FencingToken.of(7), new SlotTransitions.End.Done(""), slot))
                .isSameAs(taken);
        assertThat(SlotTransitions.start(taken, job.name(), FencingToken.of(7), HOLDER, slot))
                .isSameAs(taken);
        assertThat(taken.openAt(slot).orElseThrow().attempt()).isEqualTo(2);
    }

    /**
     * Otherwise a clock that was ahead for a minute would stop a job until real time catches up.
     */
    @Test
    void resumingAJobAcceptsAClockThatWasSetBack() {
        Job job = job(j -> {});
        JobRecord record = decide(job, JobRecord.first(START), START);
        record = decide(job, record, START.plus(Duration.ofDays(365)));
        record = record.withPause(new Pause(START, HOLDER, Note.of("the clock was wrong")));

        JobRecord resumed = DueSlotPolicy.resume(record, START.plusSeconds(30));

        assertThat(resumed.watermark()).isEqualTo(START.plusSeconds(30));
        assertThat(decide(job, resumed, START.plusSeconds(60)).watermark()).isEqualTo(START.plusSeconds(60));
    }
}
