package dev.leasehold.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Machines die, freeze, lose the store and return at random moments, under every overlap policy.
 * Every slot still gets exactly one outcome. Each seed is reproducible; {@code
 * -Dleasehold.storms=N} tries N seeds.
 */
class JobsStormTest {
    private static final Duration LENGTH = Duration.ofMinutes(40);

    static Stream<Arguments> storms() {
        List<Overlap> policies = List.of(
                Overlap.SKIP,
                new Overlap.Wait(Duration.ofSeconds(90)),
                new Overlap.Buffer(),
                new Overlap.Fallback(LeaseName.of("spare")),
                new Overlap.Supersede());
        int seeds = Integer.getInteger("leasehold.storms", 1);
        return policies.stream().flatMap(p -> IntStream.rangeClosed(1, seeds).mapToObj(seed -> Arguments.of(p, seed)));
    }

    @ParameterizedTest
    @MethodSource("storms")
    void everySlotHasExactlyOneOutcome(Overlap overlap, int seed) {
        Random chance = new Random(seed);
        JobsWorld world = new JobsWorld("2026-01-01T00:00:10Z");
        world.delays = chance;
        List<String> effects = new ArrayList<>();
        Job job = Job.named("job")
                .cron("* * * * *")
                .terms(LeaseTerms.ofTtl(Duration.ofSeconds(20)))
                .overlap(overlap)
                .catchUp(CatchUp.latest(2))
                .retries(Retries.of(1, Duration.ofSeconds(10)))
                .jitter(Duration.ofSeconds(chance.nextBoolean() ? 5 : 0))
                .run(run -> {
                    world.sleep(Duration.ofSeconds(chance.nextInt(100)));
                    if (chance.nextInt(10) == 0) {
                        throw new JobFailedException("bad luck");
                    }
                    effects.add(run.slot().key());
                })
                .build();
        world.machine(job);
        world.machine(job);
        world.machine(job);

        while (world.now().isBefore(Instant.parse("2026-01-01T00:00:00Z").plus(LENGTH))) {
            world.advance(Duration.ofSeconds(chance.nextInt(120)));
            disturb(world, job, chance);
        }
        world.machines.forEach(machine -> machine.setCutOff(false));
        world.machines.forEach(JobsWorld.Machine::thaw);
        world.machine(job);
        world.advance(Duration.ofMinutes(20));

        requireOneOutcomeEach(world, overlap + " with seed " + seed);
        assertThat(effects).isNotEmpty();
        assertThat(world.manual.timers().failures()).isEmpty();
        assertThat(world.store.register().keys("work", "", 1000))
                .as("work items do not pile up")
                .hasSizeLessThan(8);
    }

    private static void disturb(JobsWorld world, Job job, Random chance) {
        JobsWorld.Machine machine = world.machines.get(chance.nextInt(world.machines.size()));
        switch (chance.nextInt(6)) {
            case 0 -> {
                machine.die();
                world.machine(job);
            }
            case 1 -> machine.freeze();
            case 2 -> machine.thaw();
            case 3 -> machine.setCutOff(true);
            case 4 -> machine.setCutOff(false);
            default -> {
                // No disturbance this time.
            }
        }
    }

    private static void requireOneOutcomeEach(JobsWorld world, String storm) {
        JobRecord record = world.record();
        Instant first = Instant.parse("2026-01-01T00:01:00Z");
        List<Instant> due =
                Schedule.of("* * * * *", ZoneId.of("UTC")).latest(first.minusSeconds(1), record.watermark(), 10_000);
        Set<Instant> open = new HashSet<>();
        record.open().forEach(entry -> open.add(entry.slot()));
        List<Instant> ended = new ArrayList<>();
        for (List<Outcome> outcomes : world.outcomes.values()) {
            for (Outcome outcome : outcomes) {
                ended.addAll(Schedule.of("* * * * *", ZoneId.of("UTC"))
                        .latest(outcome.from().minusSeconds(1), outcome.to(), 10_000));
            }
        }
        assertThat(ended).as(storm).doesNotHaveDuplicates().noneMatch(open::contains);
        List<Instant> all = new ArrayList<>(ended);
        all.addAll(open);
        assertThat(all).as(storm).containsExactlyInAnyOrderElementsOf(due);
        long counted =
                record.counters().values().stream().mapToLong(Long::longValue).sum();
        assertThat(counted).as(storm).isEqualTo(ended.size());
    }
}
