package dev.leasehold.crash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs the same commands again and again in fresh processes and kills each one (SIGKILL) at another system call, so that
 * every state of the files in which a dead process can leave them is met once.
 *
 * <p>A killed process leaves what it wrote in the page cache, so calls that only sync make no difference here and are left
 * out, unless {@code -Dleasehold.crash.full=true} asks for every traced call. A call that is known neither to change files nor
 * to leave them alone fails the test, so that no step is missed. What a power cut would leave is the business
 * of {@link DurabilityOrderTest}.
 */
public final class KillEverywhere {
    private static final boolean FULL = Boolean.getBoolean("leasehold.crash.full");
    private static final int PARALLEL = 2;
    private static final int MAX_POINTS = 120;

    /** What is done, and what must hold after it was cut short. */
    public interface Scenario {
        void prepare(Path directory) throws Exception;

        /** Commands for an {@link Actor}, separated by {@code ;}. */
        String script(Path directory);

        /**
         * @param heard what the process had answered when it died
         * @param point where it died, for messages
         */
        void check(Path directory, List<String> heard, String point) throws Exception;
    }

    private final Path root;
    private final Scenario scenario;

    public KillEverywhere(Path root, Scenario scenario) {
        this.root = root;
        this.scenario = scenario;
    }

    /** Answers at how many points a process was killed. */
    public int run() throws Exception {
        List<Strace.Call> points = new ArrayList<>();
        for (Strace.Call call : undisturbed()) {
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

    private List<Strace.Call> undisturbed() throws Exception {
        Path directory = Files.createDirectories(root.resolve("undisturbed"));
        try (ActorProcess actor = warmed(directory)) {
            Strace trace = Strace.recordAll(actor.ask("thread"), directory.resolve("trace"));
            Path work = prepared(directory);
            actor.send(scenario.script(work));
            List<String> heard = answers(actor, scenario.script(work));
            List<Strace.Call> calls = trace.finish();
            scenario.check(work, heard, "nowhere");
            return calls;
        }
    }

    private Void killedAt(Strace.Call point, Path directory) throws Exception {
        Files.createDirectories(directory);
        try (ActorProcess actor = warmed(directory)) {
            Path work = prepared(directory);
            try (Strace trace = Strace.interfere(actor.ask("thread"), directory.resolve("trace"), point, "KILL")) {
                actor.send(scenario.script(work));
                actor.finishInput();
                List<String> heard = actor.hearAll();
                if (!actor.wasKilled()) {
                    throw new AssertionError("this run never came to " + point);
                }
                scenario.check(work, heard, "killed at " + point);
            }
        }
        return null;
    }

    /** Classes that are loaded during the commands would be system calls that have nothing to do with them. */
    private ActorProcess warmed(Path directory) throws Exception {
        ActorProcess actor = ActorProcess.start();
        Path scratch = Files.createDirectories(directory.resolve("scratch"));
        scenario.prepare(scratch);
        actor.send(scenario.script(scratch));
        answers(actor, scenario.script(scratch));
        return actor;
    }

    private Path prepared(Path directory) throws Exception {
        Path work = Files.createDirectories(directory.resolve("work"));
        scenario.prepare(work);
        return work;
    }

    private static List<String> answers(ActorProcess actor, String script) throws IOException {
        List<String> heard = new ArrayList<>();
        for (int i = script.split(";", -1).length; i > 0; i--) {
            heard.add(actor.hear());
        }
        return heard;
    }
}
