package dev.leasehold.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What becomes of a slot that is due while an earlier slot or another process holds the lease. */
class OverlapTest {
    private final JobsWorld world = new JobsWorld("2026-01-01T00:00:10Z");
    private final List<String> ran = new ArrayList<>();

    private Job job(Consumer<Job.Builder> settings) {
        return JobsWorld.job(ran, settings);
    }

    @Test
    void aSlotThatOverlapsIsSkippedAndDoesNotFail() {
        runWorkThatTakes(Duration.ofSeconds(90), j -> {});

        assertThat(ran).containsExactly("00:01", "00:03", "00:05");
        assertThat(world.recordedOutcomes())
                .containsExactly("00:02 skipped", "00:01 ran", "00:04 skipped", "00:03 ran");
        assertThat(world.record().outcomes().get(1).reason()).contains("2026-01-01T00:03:00Z", "running");
    }

    @Test
    void aSlotThatOverlapsMayWait() {
        runWorkThatTakes(Duration.ofSeconds(70), j -> j.overlap(new Overlap.Wait(Duration.ofSeconds(25))));

        // 1:00-2:10, 2:10-3:20, 3:20-4:30; the slot of 4:00 has waited too long at 4:25.
        assertThat(ran).startsWith("00:01", "00:02", "00:03", "00:05");
        assertThat(world.recordedOutcomes()).contains("00:04 skipped");
    }

    @Test
    void aNewerSlotReplacesABufferedSlot() {
        runWorkThatTakes(Duration.ofSeconds(150), j -> j.overlap(new Overlap.Buffer()));

        // 1:00-3:30; of 2:00 and 3:00 only the newer one is kept and runs 3:30-6:00.
        assertThat(ran).startsWith("00:01", "00:03");
        assertThat(world.recordedOutcomes()).contains("00:02 skipped", "00:01 ran");
    }

    @Test
    void aSlotThatOverlapsMayFallBackToAnotherName() {
        runWorkThatTakes(Duration.ofSeconds(150), j -> j.overlap(new Overlap.Fallback(LeaseName.of("spare"))));

        // 1:00-3:30 as job, 2:00-4:30 as spare; at 3:00 both are taken.
        assertThat(ran).startsWith("00:01", "00:02", "00:04", "00:05");
        assertThat(world.recordedOutcomes()).contains("00:03 skipped");
    }

    @Test
    void aSlotThatSupersedesStopsTheOneBeforeItAndRaisesTheToken() {
        List<Long> tokens = new ArrayList<>();
        List<String> ended = new ArrayList<>();
        Job job = job(j -> j.overlap(new Overlap.Supersede()).run(run -> {
            tokens.add(run.lease().grant().token().value());
            world.sleep(Duration.ofSeconds(90));
            ended.add(JobsWorld.time(run.slot().at()));
        }));
        world.machine(job);
        world.machine(job);
        world.advanceTo("2026-01-01T00:03:30Z");

        assertThat(tokens).containsExactly(1L, 2L, 3L);
        assertThat(ended).isEmpty();
        assertThat(world.recordedOutcomes()).startsWith("00:01 failed", "00:02 failed");
        assertThat(world.record().outcomes())
                .allSatisfy(o -> assertThat(o.reason()).contains("superseded by slot"));
    }

    @Test
    void aLeaseHeldByAnotherProcessIsAnOverlap() {
        world.machine(job(j -> {}));
        world.store.acquire(
                JobsWorld.JOB, AttemptId.of("by-hand-attempt"), Holder.of("by hand"), Duration.ofSeconds(80));

        world.advanceTo("2026-01-01T00:02:30Z");

        assertThat(ran).containsExactly("00:02");
        assertThat(world.recordedOutcomes()).containsExactly("00:01 skipped", "00:02 ran");
        assertThat(world.record().outcomes().get(1).reason()).contains("by hand", "token 1");
    }

    /** Runs one machine until 5:10. */
    private void runWorkThatTakes(Duration duration, Consumer<Job.Builder> settings) {
        world.machine(job(j -> {
            settings.accept(j);
            j.run(run -> {
                ran.add(JobsWorld.time(run.slot().at()));
                world.sleep(duration);
            });
        }));
        world.advanceTo("2026-01-01T00:05:10Z");
    }
}
