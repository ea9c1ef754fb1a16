package dev.leasehold.agents;

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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Some agents that edit one file, in the order that a seed draws: sessions, and subagents of one session.
 * They pause before and after every access to the store, to the files and to the record of a session.
 * Between two pauses an agent may be frozen for longer than a lease lasts, and an operator may take the
 * lease over or cancel it.
 */
final class Interleaving {
    static final String FILE = "/work/notes.txt";
    private static final Duration TTL = Duration.ofMinutes(10);
    private static final int CHAOS_STEPS = 150;
    private static final int MOST_STEPS = 20_000;

    private final Random random;
    private final Baton baton = new Baton();
    private final Exclusion exclusion = new Exclusion(TTL);
    private final MemoryLeaseStore store;
    private final MemoryWorkspace files;
    private final List<ScriptedAgent> agents = new ArrayList<>();
    private final List<Baton.Runner> runners = new ArrayList<>();
    private final Function<String, ScriptedAgent.Scene> scene;
    private final LeaseName name = FilePlace.of("/work", "notes.txt").name();
    private Instant now = Instant.parse("2026-11-01T09:00:00Z");
    private Baton.@Nullable Runner frozen;
    private int wakesAt;
    private int takeovers;
    private int freezes;
    private boolean endless;

    /** @param missing the part of the hook that is left out; null for none */
    Interleaving(int seed, @Nullable Guard missing) {
        random = new Random(seed);
        store = new MemoryLeaseStore(StoreId.of("interleavings"), () -> now);
        files = new MemoryWorkspace(baton::pause, missing);
        files.write(FILE, "start\n");
        Ids ids = new CountingIds();
        HookSettings settings =
                new HookSettings("claude", "host", TTL, false, null, HookSettings.PushRule.none(), ids, () -> now);
        MemorySessions sessions = new MemorySessions(baton::pause, missing);
        LeaseStore shared = pausing(store);
        Map<String, LeaseStore> own = new HashMap<>();
        scene = session -> {
            LeaseStore used = missing == Guard.LEASE
                    ? own.computeIfAbsent(
                            session, s -> pausing(new MemoryLeaseStore(StoreId.of("store-of-" + s), () -> now)))
                    : shared;
            AgentHook hook = new AgentHook(() -> used, files, sessions, settings);
            return new ScriptedAgent.Scene(files, hook, baton::pause, () -> now, exclusion, missing);
        };
        add("alpha", "", 3);
        boolean subagent = random.nextInt(3) == 0;
        add(subagent ? "alpha" : "beta", subagent ? "sub" : "", 3);
        if (random.nextInt(3) == 0) {
            add("gamma", random.nextBoolean() ? "" : "sub", 2);
        }
        if (random.nextInt(3) == 0) {
            add("alpha", "second", 2);
        }
    }

    private void add(String session, String agent, int edits) {
        ScriptedAgent added = new ScriptedAgent(session, agent, edits, scene.apply(session));
        agents.add(added);
        runners.add(baton.add(added.toString(), added));
    }

    void run() {
        int steps = 0;
        while (runners.stream().anyMatch(runner -> !runner.ended())) {
            steps++;
            if (steps > MOST_STEPS) {
                endless = true;
                break;
            }
            if (steps < CHAOS_STEPS) {
                disturb(steps);
            } else {
                now = now.plusSeconds(5);
            }
            Baton.Runner runner = runners.get(random.nextInt(runners.size()));
            if (runner == frozen && steps < wakesAt) {
                continue;
            }
            int run = random.nextInt(4) == 0 ? random.nextInt(40) : 1;
            for (int i = 0; i < run && !runner.ended(); i++) {
                runner.step();
            }
        }
        baton.end();
    }

    private void disturb(int step) {
        int what = random.nextInt(40);
        if (what == 0) {
            now = now.plus(TTL).plusSeconds(60);
        } else if (what == 1) {
            now = now.plus(TTL.dividedBy(2));
        } else if (what == 2) {
            takeOver();
        } else if (what == 3) {
            freezes++;
            frozen = runners.get(random.nextInt(runners.size()));
            wakesAt = step + random.nextInt(100);
        } else {
            now = now.plusSeconds(1);
        }
    }

    private void takeOver() {
        if (store.inspect(name).isEmpty()) {
            return;
        }
        takeovers++;
        AttemptId attempt = AttemptId.of("operator-" + takeovers);
        Note reason = Note.of("reassigned");
        Holder operator = Holder.of("operator");
        store.intervene(
                random.nextBoolean()
                        ? Intervention.takeover(name, attempt, operator, Duration.ofSeconds(20), reason)
                        : Intervention.cancel(name, attempt, operator, reason));
        exclusion.interrupt();
    }

    /**
     * What must not happen: edits that were acknowledged and are not in the file, edits at the same moment,
     * agents that wait for each other.
     */
    List<String> violations() {
        List<String> present = files.text(FILE).lines().toList();
        List<String> found = new ArrayList<>(exclusion.violations());
        if (endless) {
            found.add("no end after " + MOST_STEPS + " steps");
        }
        for (ScriptedAgent agent : agents) {
            for (String line : agent.acknowledged()) {
                if (!present.contains(line)) {
                    found.add("lost: " + line);
                }
            }
        }
        return found;
    }

    int denials() {
        return agents.stream().mapToInt(ScriptedAgent::denials).sum();
    }

    int takeovers() {
        return takeovers;
    }

    int freezes() {
        return freezes;
    }

    boolean hasSubagents() {
        return agents.stream().anyMatch(agent -> agent.toString().startsWith("alpha/"));
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
