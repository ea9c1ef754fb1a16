package dev.leasehold.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.disk.Disk;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Runs the same commands once for each system call that reads or changes files, and injects a fault
 * into that call: the call fails, or the files change right after it. The process survives.
 *
 * <p>Each call gets some of the faults, in turn; with {@code -Dleasehold.crash.full=true} it gets
 * all of them.
 */
public final class FaultAtEveryCall {
    private static final boolean FULL = Boolean.getBoolean("leasehold.crash.full");
    private static final int PARALLEL = 2;
    private static final int MAX_POINTS = 250;
    private static final int MAX_TRIES = 5;

    /**
     * The files from which the JVM loads classes; {@code LoaderClaim} locks bytes of one of them.
     */
    private static final Pattern CLASSES = Pattern.compile("/modules>|\\.jar|/target/");

    /** After sixteen reflective calls of a constructor the JDK loads more classes. */
    private static final int WARM_UP = 20;

    /** A change that another program makes to the files. */
    public interface Change {
        void make(Path directory) throws Exception;
    }

    /** The fault hit a system call with which the JVM loads a class, instead of one of ours. */
    private static final class MissedException extends Exception {}

    /** Runs the script with the fault at this call and returns the answers. */
    private interface Injection {
        List<String> run(ActorProcess actor, Path directory, Path work, Strace.Call point) throws Exception;
    }

    private record Fault(String name, Injection injection) {}

    private final Path root;
    private final CrashScenario scenario;
    private final List<Fault> faults = new ArrayList<>();

    public FaultAtEveryCall(Path root, CrashScenario scenario) {
        this.root = root;
        this.scenario = scenario;
    }

    /** Faults that make the call return one of these errors, without any effect. */
    public FaultAtEveryCall failingWith(String... errors) {
        for (String error : errors) {
            faults.add(new Fault(error, (actor, directory, work, point) -> {
                Path log = directory.resolve("trace");
                List<String> answers;
                try (Strace trace = Strace.fail(actor.ask("thread"), log, point, error)) {
                    answers = actor.askScript(scenario.script(work));
                }
                requireInjectedInto(log);
                assertThat(openFiles(actor))
                        .as("files left open after %s at %s", error, point)
                        .isEmpty();
                return answers;
            }));
        }
        return this;
    }

    /**
     * A fault that stops the process right after the call, changes the files and lets the process
     * go on.
     */
    public FaultAtEveryCall changing(String name, Change change) {
        faults.add(new Fault(name, (actor, directory, work, point) -> {
            Path log = directory.resolve("trace");
            try (Strace trace = Strace.interfere(actor.ask("thread"), log, point, "STOP")) {
                String script = scenario.script(work);
                actor.send(script);
                awaitStopped(actor.pid());
                change.make(work);
                actor.thaw();
                return actor.hearAnswersTo(script);
            }
        }));
        return this;
    }

    /**
     * Returns the number of faults that were injected.
     *
     * @param each how many of the faults each call gets
     */
    public int run(int each) throws Exception {
        List<Strace.Call> points = callsWithoutFault();
        if (points.size() > MAX_POINTS) {
            throw new IllegalStateException("too many points: " + points.size());
        }
        ExecutorService pool = Executors.newFixedThreadPool(PARALLEL);
        try {
            List<Future<Integer>> runs = new ArrayList<>();
            for (int i = 0; i < PARALLEL; i++) {
                int first = i;
                runs.add(pool.submit(() -> share(points, first, FULL ? faults.size() : each)));
            }
            int injected = 0;
            for (Future<Integer> run : runs) {
                injected += run.get();
            }
            return injected;
        } finally {
            pool.shutdownNow();
        }
    }

    private int share(List<Strace.Call> points, int first, int each) throws Exception {
        int injected = 0;
        ActorProcess actor = scenario.startWarmed(root.resolve("actor-" + first), WARM_UP);
        try {
            for (int i = first; i < points.size(); i += PARALLEL) {
                for (int n = 0; n < each; n++) {
                    int number = (i / PARALLEL + n) % faults.size();
                    String run = i + "-" + number + "-";
                    for (int tries = 1;
                            !inject(actor, points.get(i), faults.get(number), "run-" + run + tries);
                            tries++) {
                        if (tries == MAX_TRIES) {
                            throw new AssertionError("never reached: " + points.get(i));
                        }
                        actor.close();
                        actor = scenario.startWarmed(root.resolve("actor-" + run + tries), WARM_UP);
                    }
                    injected++;
                }
            }
        } finally {
            actor.close();
        }
        return injected;
    }

    /** Returns false if the fault hit another call. */
    private boolean inject(ActorProcess actor, Strace.Call call, Fault fault, String name) throws Exception {
        Path directory = Files.createDirectories(root.resolve(name));
        Path work = scenario.prepared(actor, directory.resolve("work"));
        String point = fault.name() + " at " + call;
        List<String> answers;
        try {
            answers = fault.injection().run(actor, directory, work, call);
        } catch (MissedException e) {
            return false;
        } catch (Exception e) {
            throw new AssertionError(point, e);
        }
        scenario.check(actor, work, answers, call, point);
        return true;
    }

    private static void requireInjectedInto(Path log) throws IOException, MissedException {
        boolean injected = false;
        for (String line : Files.readAllLines(log)) {
            if (line.contains("(INJECTED)")) {
                injected = true;
                if (CLASSES.matcher(line).find()) {
                    throw new MissedException();
                }
            }
        }
        if (!injected) {
            throw new MissedException();
        }
    }

    private List<Strace.Call> callsWithoutFault() throws Exception {
        Path directory = Files.createDirectories(root.resolve("without-fault"));
        try (ActorProcess actor = scenario.startWarmed(directory, WARM_UP)) {
            Path work = scenario.prepared(actor, directory.resolve("work"));
            Strace trace = Strace.recordAll(actor.ask("thread"), directory.resolve("trace"));
            List<String> answers = actor.askScript(scenario.script(work));
            List<Strace.Call> points = new ArrayList<>();
            for (Strace.Call call : trace.finish()) {
                boolean ofTheJvm = call.mentions("pipe:")
                        || CLASSES.matcher(call.arguments()).find();
                if (!ofTheJvm && (call.isAboutFiles() || call.readsFileBelow(work))) {
                    points.add(call);
                }
            }
            assertThat(answers).noneMatch(answer -> answer.startsWith("failed"));
            scenario.check(actor, work, answers, null, "no fault");
            return points;
        }
    }

    /** The scenario's files that the process still has open. */
    private List<String> openFiles(ActorProcess actor) throws IOException {
        List<String> found = new ArrayList<>();
        for (Path descriptor : Disk.list(Path.of("/proc/" + actor.pid() + "/fd"))) {
            try {
                String file = Files.readSymbolicLink(descriptor).toString();
                if (file.startsWith(root.toString())) {
                    found.add(file);
                }
            } catch (NoSuchFileException e) {
                // Closed since the directory was read.
            }
        }
        return found;
    }

    /** Looks for a stopped thread that is not traced: strace stops the traced one at every call. */
    private static void awaitStopped(long pid) throws Exception {
        for (int i = 0; i < 30_000; i++) {
            if (isStopped(pid)) {
                return;
            }
            TimeUnit.MILLISECONDS.sleep(2);
        }
        throw new AssertionError("process " + pid + " never reached this call");
    }

    private static boolean isStopped(long pid) throws IOException {
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            for (Path thread : threads) {
                if (statOf(thread).contains(") T ")) {
                    return true;
                }
            }
            return false;
        }
    }

    /** Empty for a thread that has ended since it was listed. */
    private static String statOf(Path thread) {
        try {
            return Files.readString(thread.resolve("stat"));
        } catch (IOException ended) {
            return "";
        }
    }
}
