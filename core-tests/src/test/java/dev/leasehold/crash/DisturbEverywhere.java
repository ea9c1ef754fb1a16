package dev.leasehold.crash;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Runs the same commands again and again, and disturbs them at another system call each time: the call fails, or right after
 * it somebody else does something to the files. Every call is met that looks at files or changes them.
 *
 * <p>Each call is disturbed in some of the ways, in turn; with {@code -Dleasehold.crash.full=true} in all of them.
 */
public final class DisturbEverywhere {
    private static final boolean FULL = Boolean.getBoolean("leasehold.crash.full");
    private static final int PARALLEL = 2;
    private static final int MAX_POINTS = 200;
    private static final int MAX_TRIES = 5;

    /** Where a JVM finds classes, and where copies of our own classes exclude each other. */
    private static final Pattern CLASSES = Pattern.compile("/modules>|\\.jar|/target/");

    /** After sixteen uses of a constructor the system library loads more classes. */
    private static final int WARM_UP = 20;

    /** What else happens to the files. */
    public interface Move {
        void on(Path directory) throws Exception;
    }

    /** The JVM loaded a class after all, and its own system call was met instead of one of ours. */
    private static final class MissedException extends Exception {}

    /** One way in which something goes wrong at a call. */
    private interface Disturbance {
        List<String> run(ActorProcess actor, Path directory, Path work, Strace.Call point) throws Exception;
    }

    private final Path root;
    private final KillEverywhere.Scenario scenario;
    private final List<String> names = new ArrayList<>();
    private final List<Disturbance> ways = new ArrayList<>();

    public DisturbEverywhere(Path root, KillEverywhere.Scenario scenario) {
        this.root = root;
        this.scenario = scenario;
    }

    /** The call does nothing and answers this error. */
    public DisturbEverywhere failingWith(String... errors) {
        for (String error : errors) {
            names.add(error);
            ways.add((actor, directory, work, point) -> {
                Path log = directory.resolve("trace");
                List<String> heard;
                try (Strace trace = Strace.fail(actor.ask("thread"), log, point, error)) {
                    String script = scenario.script(work);
                    actor.send(script);
                    heard = answers(actor, script);
                }
                requireAimed(log);
                return heard;
            });
        }
        return this;
    }

    /** The process stands still right after the call, and this happens. */
    public DisturbEverywhere moving(String name, Move move) {
        names.add(name);
        ways.add((actor, directory, work, point) -> {
            Path log = directory.resolve("trace");
            try (Strace trace = Strace.interfere(actor.ask("thread"), log, point, "STOP")) {
                String script = scenario.script(work);
                actor.send(script);
                awaitStopped(actor.pid());
                move.on(work);
                actor.thaw();
                return answers(actor, script);
            }
        });
        return this;
    }

    /**
     * Answers how many disturbances there were.
     *
     * @param each in how many of the ways each call is disturbed
     */
    public int run(int each) throws Exception {
        List<Strace.Call> points = undisturbed();
        if (points.size() > MAX_POINTS) {
            throw new IllegalStateException("too many points: " + points.size());
        }
        ExecutorService pool = Executors.newFixedThreadPool(PARALLEL);
        try {
            List<Future<Integer>> runs = new ArrayList<>();
            for (int i = 0; i < PARALLEL; i++) {
                int first = i;
                runs.add(pool.submit(() -> share(points, first, FULL ? ways.size() : each)));
            }
            int disturbed = 0;
            for (Future<Integer> run : runs) {
                disturbed += run.get();
            }
            return disturbed;
        } finally {
            pool.shutdownNow();
        }
    }

    private int share(List<Strace.Call> points, int first, int each) throws Exception {
        int disturbed = 0;
        ActorProcess actor = warmed(root.resolve("actor-" + first));
        try {
            for (int i = first; i < points.size(); i += PARALLEL) {
                for (int n = 0; n < each; n++) {
                    int way = (i / PARALLEL + n) % ways.size();
                    for (int tries = 1;
                            !disturbed(actor, points.get(i), way, "run-" + i + "-" + way + "-" + tries);
                            tries++) {
                        if (tries == MAX_TRIES) {
                            throw new AssertionError("never met: " + points.get(i));
                        }
                        actor.close();
                        actor = warmed(root.resolve("actor-" + i + "-" + way + "-" + tries));
                    }
                    disturbed++;
                }
            }
        } finally {
            actor.close();
        }
        return disturbed;
    }

    /** False if the call was missed. */
    private boolean disturbed(ActorProcess actor, Strace.Call call, int way, String name) throws Exception {
        Path directory = Files.createDirectories(root.resolve(name));
        Path work = prepared(directory);
        String point = names.get(way) + " at " + call;
        List<String> heard;
        try {
            heard = ways.get(way).run(actor, directory, work, call);
        } catch (MissedException e) {
            return false;
        } catch (Exception e) {
            throw new AssertionError(point, e);
        }
        scenario.check(work, heard, point);
        return true;
    }

    private static void requireAimed(Path log) throws IOException, MissedException {
        for (String line : Files.readAllLines(log)) {
            if (line.contains("(INJECTED)") && CLASSES.matcher(line).find()) {
                throw new MissedException();
            }
        }
    }

    private List<Strace.Call> undisturbed() throws Exception {
        Path directory = Files.createDirectories(root.resolve("undisturbed"));
        try (ActorProcess actor = warmed(directory)) {
            Path work = prepared(directory);
            String script = scenario.script(work);
            Strace trace = Strace.recordAll(actor.ask("thread"), directory.resolve("trace"));
            actor.send(script);
            List<String> heard = answers(actor, script);
            List<Strace.Call> points = new ArrayList<>();
            for (Strace.Call call : trace.finish()) {
                if (call.isAboutFiles()
                        && !call.mentions("pipe:")
                        && !CLASSES.matcher(call.arguments()).find()) {
                    points.add(call);
                }
            }
            scenario.check(work, heard, "nowhere");
            return points;
        }
    }

    /** Classes that are loaded during the commands would be system calls that have nothing to do with them. */
    private ActorProcess warmed(Path directory) throws Exception {
        ActorProcess actor = ActorProcess.start();
        Files.createDirectories(directory);
        for (int i = 0; i < WARM_UP; i++) {
            Path scratch = Files.createDirectories(directory.resolve("scratch-" + i));
            scenario.prepare(scratch);
            String script = scenario.script(scratch);
            actor.send(script);
            answers(actor, script);
        }
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
            heard.add(String.valueOf(actor.hear()));
        }
        return heard;
    }

    /** The traced thread looks stopped at every call; the others only if the whole process is. */
    private static void awaitStopped(long pid) throws Exception {
        for (int i = 0; i < 30_000; i++) {
            if (isStopped(pid)) {
                return;
            }
            TimeUnit.MILLISECONDS.sleep(2);
        }
        throw new AssertionError("process " + pid + " never came to this call");
    }

    private static boolean isStopped(long pid) throws IOException {
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            for (Path thread : threads) {
                if (Files.readString(thread.resolve("stat")).contains(") T ")) {
                    return true;
                }
            }
            return false;
        }
    }
}
