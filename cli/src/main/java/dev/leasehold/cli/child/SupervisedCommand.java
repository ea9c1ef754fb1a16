package dev.leasehold.cli.child;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A command that runs in its own session and process group and is dead before a deadline, also when this JVM is killed
 * or frozen. How, and what is out of reach, is told in the package's documentation.
 *
 * <p>The command gets standard input, its arguments, the working directory and the default signal dispositions
 * untouched. Once it has ended, everything it left in its session is ended too, before any {@code waitFor} returns.
 *
 * <p>Thread-safe. The orders ({@link #extend}, {@link #signal}, {@link #stop}) neither block nor fail; after the end of
 * the command they do nothing.
 */
public final class SupervisedCommand {
    private static final int KILLED = 137;
    private static final File NOTHING = new File("/dev/null");
    private static final String SCRIPT_VARIABLE = "LEASEHOLD_GUARD_SCRIPT";

    private final Process guard;
    private final SupervisorDirectory directory;
    private final SupervisorClock clock;
    private final AtomicLong deadline;
    private final ControlPipe control;
    private final Backstop backstop;
    private final List<OutputPump> pumps;
    private volatile OptionalLong pid = OptionalLong.empty();
    private boolean made;
    private boolean finished;
    private boolean endedAtDeadline;
    private int exitCode;

    private SupervisedCommand(
            Process guard,
            SupervisorDirectory directory,
            Platform platform,
            Deadline until,
            Stdio stdio,
            ThreadFactory threads) {
        this.guard = guard;
        this.directory = directory;
        clock = until.clock;
        deadline = new AtomicLong(until.at);
        control = new ControlPipe(directory.control(), guard::isAlive);
        backstop = new Backstop(guard, directory, platform, clock, deadline, until.grace);
        pumps = stdio.pump(guard, threads);
    }

    private record Deadline(SupervisorClock clock, long at, long grace) {
        static Deadline in(SupervisorClock clock, Supplier<Duration> left, Duration grace) throws IOException {
            return new Deadline(
                    clock, clock.now() + SupervisorClock.hundredths(left.get()), SupervisorClock.hundredths(grace));
        }
    }

    /**
     * Starts a command. Whether it can be executed is better asked before, of {@link CommandLookup}.
     *
     * @param argv the command and its arguments; no shell looks at them
     * @param set what to put into the environment
     * @param removed what to take out of it, unless it is set
     * @param left how long the command may live; asked once, after the clock was read, so that a pause in between
     *     makes the deadline earlier and never later. When nothing is left the command is not started
     * @param grace from TERM to KILL; both happen before the deadline
     * @throws IOException when the guard cannot be set up; the command was not started then
     */
    public static SupervisedCommand start(
            List<String> argv,
            Map<String, String> set,
            Set<String> removed,
            Supplier<Duration> left,
            Duration grace,
            Stdio stdio)
            throws IOException {
        return start(argv, set, removed, left, grace, stdio, null);
    }

    /**
     * As above, with a witness.
     *
     * @param witness is told of the guard, which lives until everything in the command's session is dead. The command does not
     *     start before the witness has returned, and not at all if it throws or this JVM dies meanwhile
     */
    public static SupervisedCommand startKnownTo(
            Consumer<ProcessHandle> witness, List<String> argv, Supplier<Duration> left, Duration grace, Stdio stdio)
            throws IOException {
        return start(Platform.detect(), Thread::new, argv, Map.of(), Set.of(), left, grace, stdio, null, witness);
    }

    /** @param directory where it starts, with nothing on its standard input; null for where we are, with our own input */
    public static SupervisedCommand start(
            List<String> argv,
            Map<String, String> set,
            Set<String> removed,
            Supplier<Duration> left,
            Duration grace,
            Stdio stdio,
            @Nullable Path directory)
            throws IOException {
        return start(Platform.detect(), Thread::new, argv, set, removed, left, grace, stdio, directory, guard -> {});
    }

    static SupervisedCommand start(
            Platform platform,
            ThreadFactory threads,
            List<String> argv,
            Map<String, String> set,
            Set<String> removed,
            Supplier<Duration> left,
            Duration grace,
            Stdio stdio,
            @Nullable Path directory,
            Consumer<ProcessHandle> witness)
            throws IOException {
        Deadline until = Deadline.in(new SupervisorClock(platform.proc()), left, grace);
        SupervisorDirectory files = SupervisorDirectory.named();
        var builder = new ProcessBuilder().redirectInput(ProcessBuilder.Redirect.INHERIT);
        if (stdio.isInherited()) {
            builder.inheritIO();
        }
        if (directory != null) {
            builder.directory(directory.toFile()).redirectInput(ProcessBuilder.Redirect.from(NOTHING));
            builder.environment().put("PWD", directory.toString());
        }
        builder.environment().keySet().removeAll(removed);
        builder.environment().putAll(set);
        SupervisorEnvironment environment = SupervisorEnvironment.takeFrom(builder.environment());
        builder.environment().put(SCRIPT_VARIABLE, SupervisorScript.text());
        builder.command(guardCommand(platform, files, until, environment, argv));
        return start(
                builder,
                files,
                guard -> new SupervisedCommand(guard, files, platform, until, stdio, threads),
                threads,
                witness);
    }

    /** The guard waits for the directory, so the command is not started before everything that watches over it is. */
    private static SupervisedCommand start(
            ProcessBuilder builder,
            SupervisorDirectory files,
            Function<Process, SupervisedCommand> watched,
            ThreadFactory threads,
            Consumer<ProcessHandle> witness)
            throws IOException {
        Process guard = null;
        boolean begun = false;
        try {
            guard = builder.start();
            SupervisedCommand command = watched.apply(guard);
            Thread standBy = threads.newThread(command::standBy);
            standBy.setName("leasehold-backstop");
            standBy.setDaemon(true);
            standBy.start();
            witness.accept(guard.toHandle());
            command.makeDirectory();
            begun = true;
            return command;
        } catch (OutOfMemoryError failure) {
            throw noThread(failure);
        } finally {
            if (!begun) {
                kill(guard, files);
            }
        }
    }

    private static IOException noThread(Throwable failure) {
        return new IOException(
                "no thread can be started (" + failure.getMessage()
                        + "); the command was not started. Raise the limit (ulimit -u, pids.max) or end what uses so many",
                failure);
    }

    private static void kill(@Nullable Process guard, SupervisorDirectory files) {
        if (guard != null) {
            guard.destroyForcibly();
            return;
        }
        // It may run all the same: a failure to start the thread that waits for it comes after its start.
        String directory = files.path().toString();
        ProcessHandle.current()
                .children()
                .filter(child -> Arrays.asList(child.info().arguments().orElse(new String[0]))
                        .contains(directory))
                .forEach(ProcessHandle::destroyForcibly);
    }

    /** Not before the guard runs: were this JVM killed in between, nobody would remove it. */
    private synchronized void makeDirectory() throws IOException {
        directory.make();
        made = true;
    }

    private static List<String> guardCommand(
            Platform platform,
            SupervisorDirectory directory,
            Deadline until,
            SupervisorEnvironment environment,
            List<String> argv) {
        // In a session of its own the guard hears neither the terminal's signals nor those to the wrapper's group.
        List<String> words = new ArrayList<>(Arrays.asList(platform.sessionPrefix()));
        words.addAll(List.of(
                platform.bash().toString(), "-p", "-c", "eval \"$" + SCRIPT_VARIABLE + "\"", "leasehold-guard"));
        words.add(directory.path().toString());
        words.add(Long.toString(ProcessHandle.current().pid()));
        words.add(Long.toString(until.at));
        words.add(Long.toString(until.grace));
        words.add(platform.proc() == null ? "" : platform.proc().toString());
        words.add(platform.mkfifo().toString());
        words.add(platform.rm().toString());
        words.add(platform.leader().toString());
        words.add(Integer.toString(environment.kept().size()));
        words.addAll(environment.kept());
        words.addAll(environment.prefix());
        words.addAll(argv);
        return words;
    }

    /**
     * Moves the deadline, after a renewal. Does not revive a command that is already being ended.
     *
     * @param left how long the command may live from now; asked once, after the clock was read
     */
    public void extend(Supplier<Duration> left) {
        try {
            long until = clock.now() + SupervisorClock.hundredths(left.get());
            if (control.send("until " + until)) {
                deadline.set(until);
            }
        } catch (IOException clockUnreadable) {
            throw new UncheckedIOException("cannot read the clock; the command's deadline stays", clockUnreadable);
        }
    }

    /** Passes a signal on to the command's process group, by its name without SIG. */
    public void signal(String name) {
        if (!name.matches("[A-Z][A-Z0-9]*")) {
            throw new IllegalArgumentException("not a signal name: " + name);
        }
        control.send("signal " + name);
    }

    /** Ends the whole session: TERM now, KILL after the grace or just before the deadline, whichever is earlier. */
    public void stop() {
        control.send("stop");
    }

    /**
     * Waits until the command and everything it left in its session are dead.
     *
     * @return the command's exit code, 128 + n if signal n ended it; 137 also if the command was not started because
     *     its deadline had passed, or if the guard was killed so that nobody knows
     */
    public int waitFor() throws InterruptedException {
        guard.waitFor();
        return finish();
    }

    /** As {@link #waitFor()}, but gives up after a while: whether the command has ended. */
    public boolean waitFor(Duration atMost) throws InterruptedException {
        if (!guard.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
            return false;
        }
        finish();
        return true;
    }

    /** Keeps the deadline should the guard fail to, and clears up even if nobody ever waits for the command. */
    private void standBy() {
        backstop.watch();
        try {
            finish();
        } catch (InterruptedException | UncheckedIOException e) {
            // Nobody interrupts this thread; and whoever waits for the command is told by the same exception.
        }
    }

    private synchronized int finish() throws InterruptedException {
        if (finished) {
            return exitCode;
        }
        pid();
        if (directory.guardDone()) {
            exitCode = guard.exitValue();
        } else {
            exitCode = KILLED;
            endWhatIsLeft();
        }
        for (OutputPump pump : pumps) {
            pump.drain();
        }
        endedAtDeadline = backstop.fired() || directory.endedAtDeadline();
        control.close();
        if (made) {
            directory.delete();
        }
        finished = true;
        return exitCode;
    }

    private void endWhatIsLeft() throws InterruptedException {
        try {
            backstop.endWhatIsLeft();
        } catch (IOException cannotLook) {
            throw new UncheckedIOException("cannot tell whether the command is dead", cannotLook);
        }
    }

    /**
     * Whether the deadline ended the command, or kept it from starting. Known once {@code waitFor} has returned; false
     * before.
     */
    public synchronized boolean endedAtDeadline() {
        return endedAtDeadline;
    }

    /** The command's pid, which is also its process group and session; empty until it is started. */
    public OptionalLong pid() {
        if (pid.isEmpty()) {
            pid = directory.pgid();
        }
        return pid;
    }
}
