package dev.leasehold.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.disk.Disk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs the same commands again and again and lets another system call fail each time, with each of the errors that a
 * disk, a network file system or a process at its limits can answer. The process lives on: it must say what it does not
 * know, give back what it took, and work again. Each call fails with two of the errors, in turn, or with all of them if
 * {@code -Dleasehold.crash.full=true} asks for it.
 */
public final class FailEverywhere {
    private static final List<String> ERRORS = List.of("EIO", "ESTALE", "EACCES", "ENOSPC", "EMFILE");
    private static final boolean FULL = Boolean.getBoolean("leasehold.crash.full");
    private static final int MAX_POINTS = 250;

    /** What is done, and what must hold after one call of it failed. */
    public interface Scenario {
        void prepare(Path directory) throws Exception;

        /** Commands for an {@link Actor} that nothing interferes with, before the script. */
        List<String> before(Path directory);

        /** Commands for an {@link Actor}. */
        List<String> script(Path directory);

        /**
         * @param heard one answer a command
         * @param call the call that failed; null if none did
         * @param point the same for messages
         */
        void check(ActorProcess actor, Path directory, List<String> heard, Strace.Call call, String point)
                throws Exception;
    }

    private final Path root;
    private final Scenario scenario;
    private int runs;

    public FailEverywhere(Path root, Scenario scenario) {
        this.root = root;
        this.scenario = scenario;
    }

    /** Answers at how many calls errors were injected. */
    public int run() throws Exception {
        try (ActorProcess actor = ActorProcess.start()) {
            // Classes that are loaded during the commands would be calls that have nothing to do with them.
            for (int i = 0; i < 2; i++) {
                Path warm = directory(actor);
                actor.askAll(scenario.script(warm));
            }
            List<Strace.Call> points = undisturbed(actor);
            assertThat(points).hasSizeLessThan(MAX_POINTS);
            int errors = FULL ? ERRORS.size() : 2;
            for (int i = 0; i < points.size(); i++) {
                for (int j = 0; j < errors; j++) {
                    failing(actor, points.get(i), ERRORS.get((2 * i + j) % ERRORS.size()));
                }
            }
            return points.size();
        }
    }

    /** The calls that name the scenario's files; others belong to the process as such. */
    private List<Strace.Call> undisturbed(ActorProcess actor) throws Exception {
        Path directory = directory(actor);
        Strace trace = Strace.recordFailing(actor.ask("thread"), root.resolve("undisturbed"));
        List<String> heard = actor.askAll(scenario.script(directory));
        List<Strace.Call> points = new ArrayList<>();
        for (Strace.Call call : trace.finish()) {
            // Flags of a descriptor are no matter of the disk.
            if (call.mentions(directory.toString()) && !call.mentions("F_GETFL") && !call.mentions("F_SETFD")) {
                points.add(call);
            }
        }
        assertThat(heard).noneMatch(line -> line.startsWith("failed"));
        scenario.check(actor, directory, heard, null, "nothing failed");
        return points;
    }

    private void failing(ActorProcess actor, Strace.Call call, String error) throws Exception {
        Path directory = directory(actor);
        String point = error + " at " + call;
        List<String> heard;
        Path log = root.resolve("trace");
        try (Strace trace =
                Strace.inject(actor.ask("thread"), log, call.name() + ":error=" + error + ":when=" + call.ordinal())) {
            heard = actor.askAll(scenario.script(directory));
        }
        assertThat(Files.readString(log)).as("this run came to %s", point).contains("(INJECTED)");
        assertThat(openFiles(actor)).as("left open after %s", point).isEmpty();
        scenario.check(actor, directory, heard, call, point);
    }

    private Path directory(ActorProcess actor) throws Exception {
        Path directory = Files.createDirectories(root.resolve("run-" + runs++));
        scenario.prepare(directory);
        actor.askAll(scenario.before(directory));
        return directory;
    }

    /** Those of the scenario that the process still has open; others come and go with the process as such. */
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
}
