package dev.leasehold.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreId;
import dev.leasehold.spi.Ids;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.store.MemoryLeaseStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Two agents edit one file in every order that a seed draws. They are frozen between any two accesses
 * to the store or to a file, also inside the hook, for longer than a lease lasts, and operators take
 * their leases over. No acknowledged edit may be missing at the end, and all must come to an end.
 */
class InterleavingTest {
    private static final int SEEDS = Integer.getInteger("leasehold.agents.seeds", 500);
    private static final Duration TTL = Duration.ofMinutes(10);
    private static final String FILE = "/work/notes.txt";
    private static final int CHAOS_STEPS = 150;
    private static final int MOST_STEPS = 20_000;

    @Test
    void noEditIsLostInAnyInterleaving() {
        int denials = 0;
        int late = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Scenario scenario = new Scenario(seed, true);
            scenario.run();
            assertThat(scenario.missing())
                    .as("seed %d: %s", seed, scenario.files.text(FILE))
                    .isEmpty();
            denials += scenario.denials();
            late += scenario.takeovers;
        }
        assertThat(denials).isPositive();
        assertThat(late).isPositive();
    }

    @Test
    void withoutTheHookEditsAreLost() {
        int lost = 0;
        for (int seed = 0; seed < 200; seed++) {
            Scenario scenario = new Scenario(seed, false);
            scenario.run();
            lost += scenario.missing().isEmpty() ? 0 : 1;
        }
        assertThat(lost).isGreaterThan(100);
    }

    private static final class Scenario {
        private final Random random;
        private final Baton baton = new Baton();
        private final MemoryLeaseStore store;
        private final MemoryWorkspace files = new MemoryWorkspace(baton::pause);
        private final List<ScriptedAgent> agents = new ArrayList<>();
        private final List<Baton.Runner> runners = new ArrayList<>();
        private Instant now = Instant.parse("2026-11-01T09:00:00Z");
        private int takeovers;
        private int number;

        Scenario(int seed, boolean hooked) {
            random = new Random(seed);
            store = new MemoryLeaseStore(StoreId.of("interleavings"), () -> now);
            files.write(FILE, "start\n");
            MemorySessions sessions = new MemorySessions(baton::pause);
            Ids ids = new CountingIds();
            HookSettings settings =
                    new HookSettings("claude", "host", TTL, false, null, HookSettings.PushRule.none(), ids, () -> now);
            LeaseStore paused = pausing(store);
            AgentHook hook = new AgentHook(() -> paused, files, sessions, settings);
            boolean subagent = random.nextInt(3) == 0;
            add(new ScriptedAgent("alpha", "", 3, files, hook, baton::pause, hooked));
            add(new ScriptedAgent(
                    subagent ? "alpha" : "beta", subagent ? "sub" : "", 3, files, hook, baton::pause, hooked));
            if (random.nextInt(3) == 0) {
                add(new ScriptedAgent("gamma", "", 2, files, hook, baton::pause, hooked));
            }
        }

        private void add(ScriptedAgent agent) {
            agents.add(agent);
            runners.add(baton.add("agent " + agents.size(), agent));
        }

        void run() {
            int steps = 0;
            while (runners.stream().anyMatch(runner -> !runner.ended())) {
                steps++;
                assertThat(steps).as("steps: a deadlock?").isLessThan(MOST_STEPS);
                if (steps < CHAOS_STEPS) {
                    disturb();
                } else {
                    now = now.plusSeconds(5);
                }
                Baton.Runner runner = runners.get(random.nextInt(runners.size()));
                // A run of steps of one agent is the freeze of the others.
                int run = random.nextInt(4) == 0 ? random.nextInt(40) : 1;
                for (int i = 0; i < run && !runner.ended(); i++) {
                    runner.step();
                }
            }
            baton.end();
        }

        private void disturb() {
            int what = random.nextInt(30);
            if (what == 0) {
                now = now.plus(TTL).plusSeconds(60);
            } else if (what == 1) {
                now = now.plus(TTL.dividedBy(2));
            } else if (what == 2) {
                takeOver();
            } else {
                now = now.plusSeconds(1);
            }
        }

        private void takeOver() {
            LeaseName name = FilePlace.of("/work", "notes.txt").name();
            if (store.inspect(name).isEmpty()) {
                return;
            }
            takeovers++;
            number++;
            AttemptId attempt = AttemptId.of("operator-" + number);
            Note reason = Note.of("reassigned");
            Holder operator = Holder.of("operator");
            store.intervene(
                    random.nextBoolean()
                            ? Intervention.takeover(name, attempt, operator, Duration.ofSeconds(20), reason)
                            : Intervention.cancel(name, attempt, operator, reason));
        }

        List<String> missing() {
            List<String> present = files.text(FILE).lines().toList();
            List<String> missing = new ArrayList<>();
            for (ScriptedAgent agent : agents) {
                for (String line : agent.acknowledged()) {
                    if (!present.contains(line)) {
                        missing.add(line);
                    }
                }
            }
            return missing;
        }

        int denials() {
            return agents.stream().mapToInt(ScriptedAgent::denials).sum();
        }

        /** Lets another agent run before and after each call to the store. */
        private LeaseStore pausing(LeaseStore inner) {
            return (LeaseStore) Proxy.newProxyInstance(
                    LeaseStore.class.getClassLoader(), new Class<?>[] {LeaseStore.class}, (proxy, method, args) -> {
                        baton.pause();
                        try {
                            return method.invoke(inner, args);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        } finally {
                            baton.pause();
                        }
                    });
        }
    }

    /** Ids that a seed repeats. */
    private static final class CountingIds implements Ids {
        private long next;

        @Override
        public String unique() {
            next++;
            return "id" + next;
        }

        @Override
        public long below(long bound) {
            return 0;
        }
    }
}
