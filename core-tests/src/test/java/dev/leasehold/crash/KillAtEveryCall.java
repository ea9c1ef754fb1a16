package dev.leasehold.crash;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs the same commands in new processes and kills each process (SIGKILL) at a different system
 * call, so that every state in which a dead process can leave the files occurs once.
 *
 * <p>What a killed process wrote stays in the page cache. Calls that only sync therefore make no
 * difference here and are left out, unless {@code -Dleasehold.crash.full=true} is set. A call that
 * is known neither to change files nor to leave them alone fails the test, so that no step is
 * missed. {@link DurabilityOrderTest} covers power cuts.
 */
public final class KillAtEveryCall {
    private static final boolean FULL = Boolean.getBoolean("leasehold.crash.full");
    private static final int PARALLEL = 2;
    private static final int MAX_POINTS = 120;

    private final Path root;
    private final CrashScenario scenario;

    public KillAtEveryCall(Path root, CrashScenario scenario) {
        this.root = root;
        this.scenario = scenario;
    }

    /** Returns the number of calls at which a process was killed. */
    public int run() throws Exception {
        List<Strace.Call> points = new ArrayList<>();
        for (Strace.Call call : callsWithoutFault()) {
            if (call.changesFiles() || (FULL && call.isTraced())) {
                points.add(call);
            }
        }
        if (points.size() > MAX_POINTS) {
            throw new IllegalStateException("too many points: " + points.size());
        }
        ExecutorService pool = Executors.newFixedThreadPool(PARALLEL);
        try {
            List<Future<?>> runs = new ArrayList<>();
            for (int i = 0; i < points.size(); i++) {
                Path directory = root.resolve("run-" + i);
                Strace.Call point = points.get(i);
                runs.add(pool.submit(() -> killedAt(point, directory)));
            }
            for (Future<?> run : runs) {
                run.get();
            }
        } finally {
            pool.shutdownNow();
        }
        return points.size();
    }

    private List<Strace.Call> callsWithoutFault() throws Exception {
        Path directory = Files.createDirectories(root.resolve("without-fault"));
        try (ActorProcess actor = scenario.startWarmed(directory, 1)) {
            Strace trace = Strace.recordAll(actor.ask("thread"), directory.resolve("trace"));
            Path work = scenario.prepared(actor, directory.resolve("work"));
            List<String> answers = actor.askScript(scenario.script(work));
            List<Strace.Call> calls = trace.finish();
            scenario.check(work, answers, "nowhere");
            return calls;
        }
    }

    private Void killedAt(Strace.Call point, Path directory) throws Exception {
        Files.createDirectories(directory);
        try (ActorProcess actor = scenario.startWarmed(directory, 1)) {
            Path work = scenario.prepared(actor, directory.resolve("work"));
            try (Strace trace = Strace.interfere(actor.ask("thread"), directory.resolve("trace"), point, "KILL")) {
                actor.send(scenario.script(work));
                actor.finishInput();
                List<String> answers = actor.hearAll();
                if (!actor.wasKilled()) {
                    throw new AssertionError("this run never reached " + point);
                }
                scenario.check(work, answers, "killed at " + point);
            }
        }
        return null;
    }
}
