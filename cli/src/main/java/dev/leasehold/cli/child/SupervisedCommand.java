package dev.leasehold.cli.child;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A command that runs in its own session and process group and is dead before a deadline, even if
 * this JVM is killed or frozen. The package documentation explains how, and what it cannot reach.
 *
 * <p>The command gets standard input, its arguments, the working directory and the default signal
 * dispositions unchanged. When it has ended, the processes that it left in its session are ended
 * too, before {@code waitFor} returns.
 *
 * <p>Thread-safe. The orders ({@link #extend}, {@link #signal}, {@link #stop}) neither block nor
 * fail; after the end of the command they do nothing.
 */
public final class SupervisedCommand {
    private static final int KILLED = 137;
    private static final File NOTHING = new File("/dev/null");
    private static final String SCRIPT_VARIABLE = "LEASEHOLD_SUPERVISOR_SCRIPT";
    private static final String AFTERWARDS_VARIABLE = "LEASEHOLD_SUPERVISOR_AFTERWARDS";

    private final Process supervisor;
    private final SupervisorDirectory directory;
    private final Deadline deadline;
    private final ControlPipe control;
    private final Backstop backstop;
    private final List<OutputPump> pumps;
    private volatile OptionalLong pid = OptionalLong.empty();
    private boolean made;
    private boolean finished;
    private boolean endedAtDeadline;
    private int exitCode;

    private SupervisedCommand(
            Process supervisor,
            SupervisorDirectory directory,
            Platform platform,
            Deadline deadline,
            Stdio stdio,
            ThreadFactory threads) {
        this.supervisor = supervisor;
        this.directory = directory;
        this.deadline = deadline;
        control = new ControlPipe(directory.control(), supervisor::isAlive);
        backstop = new Backstop(supervisor, directory, platform, deadline);
        pumps = stdio.pump(supervisor, threads);
    }

    /**
     * Starts a command. Ask {@link CommandLookup} first whether it can be executed.
     *
     * @param argv the command and its arguments; no shell interprets them. {@link ProgramPath} is its
     *     PATH
     * @param set variables to put into the environment
     * @param removed variables to take out of it, unless they are set
     * @param left how long the command may live; called once, after the clock was read, so that a
     *     pause in between makes the deadline earlier, never later. If no time is left, the command
     *     is not started
     * @param grace from TERM to KILL; both happen before the deadline
     * @throws IOException if the supervisor cannot be set up; the command was then not started
     */
    public static SupervisedCommand start(
            List<String> argv,
            Map<String, String> set,
            Set<String> removed,
            Supplier<Duration> left,
            Duration grace,
            Stdio stdio)
            throws IOException {
        return start(argv, set, removed, left, grace, stdio, null, "");
    }

    /**
     * Starts a command after a witness has recorded its supervisor.
     *
     * @param witness receives the supervisor's process, which lives until every process in the
     *     command's session is dead. The command starts only after the witness has returned, and
     *     never if it throws or this JVM dies meanwhile
     */
    public static SupervisedCommand startKnownTo(
            Consumer<ProcessHandle> witness, List<String> argv, Supplier<Duration> left, Duration grace, Stdio stdio)
            throws IOException {
        return start(Platform.detect(), Thread::new, argv, Map.of(), Set.of(), left, grace, stdio, null, witness);
    }

    /**
     * @param directory where the command starts, with empty input; null for the current directory
     *     and this program's input
     * @param afterwards a program that the supervisor runs if this JVM is gone, once every process
     *     of the command is dead: one word per line, with the words of the command added; empty for
     *     none. It gets the command's environment
     */
    public static SupervisedCommand start(
            List<String> argv,
            Map<String, String> set,
            Set<String> removed,
            Supplier<Duration> left,
            Duration grace,
            Stdio stdio,
            @Nullable Path directory,
            String afterwards)
            throws IOException {
        Map<String, String> all = new HashMap<>(set);
        all.put(AFTERWARDS_VARIABLE, afterwards);
        return start(
                Platform.detect(), Thread::new, argv, all, removed, left, grace, stdio, directory, supervisor -> {});
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
        Deadline deadline = new Deadline(platform.proc(), left, grace);
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
        ProgramPath.addTo(builder.environment());
        SupervisorEnvironment environment = SupervisorEnvironment.takeFrom(builder.environment());
        builder.environment().put(SCRIPT_VARIABLE, SupervisorScript.text());
        builder.command(supervisorCommand(platform, files, deadline, environment, argv));
        return start(
                builder,
                files,
                supervisor -> new SupervisedCommand(supervisor, files, platform, deadline, stdio, threads),
                threads,
                witness);
    }

    /**
     * The supervisor waits for the directory, so the command starts only after the backstop has.
     */
    private static SupervisedCommand start(
            ProcessBuilder builder,
            SupervisorDirectory files,
            Function<Process, SupervisedCommand> watched,
            ThreadFactory threads,
            Consumer<ProcessHandle> witness)
            throws IOException {
        Process supervisor = null;
        boolean begun = false;
        try {
            supervisor = builder.start();
            SupervisedCommand command = watched.apply(supervisor);
            Thread standBy = threads.newThread(command::standBy);
            standBy.setName("leasehold-backstop");
            standBy.setDaemon(true);
            standBy.start();
            witness.accept(supervisor.toHandle());
            command.makeDirectory();
            begun = true;
            return command;
        } catch (OutOfMemoryError failure) {
            throw noThread(failure);
        } finally {
            if (!begun) {
                kill(supervisor, files);
            }
        }
    }

    private static IOException noThread(Throwable failure) {
        return new IOException(
                "no thread can be started (" + failure.getMessage()
                        + "); the command was not started. Raise the limit (ulimit -u, pids.max), or stop processes that use many threads",
                failure);
    }

    private static void kill(@Nullable Process supervisor, SupervisorDirectory files) {
        if (supervisor != null) {
            supervisor.destroyForcibly();
            return;
        }
        // The process may run anyway: the JDK starts the thread that waits for it after the process
        // itself.
        String directory = files.path().toString();
        ProcessHandle.current()
                .children()
                .filter(child -> Arrays.asList(child.info().arguments().orElse(new String[0]))
                        .contains(directory))
                .forEach(ProcessHandle::destroyForcibly);
    }

    /** Called when the supervisor runs: it removes the directory if this JVM is killed. */
    private synchronized void makeDirectory() throws IOException {
        directory.make();
        made = true;
    }

    private static List<String> supervisorCommand(
            Platform platform,
            SupervisorDirectory directory,
            Deadline deadline,
            SupervisorEnvironment environment,
            List<String> argv) {
        // In its own session the supervisor receives neither the terminal's signals nor those to
        // the wrapper's group.
        List<String> words = new ArrayList<>(Arrays.asList(platform.sessionPrefix()));
        words.addAll(List.of(
                platform.bash().toString(), "-p", "-c", "eval \"$" + SCRIPT_VARIABLE + "\"", "leasehold-supervisor"));
        words.add(directory.path().toString());
        words.add(Long.toString(ProcessHandle.current().pid()));
        words.add(Long.toString(deadline.at()));
        words.add(Long.toString(deadline.grace()));
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
     * @param left how long the command may live from now; called once, after the clock was read
     */
    public void extend(Supplier<Duration> left) {
        try {
            long later = deadline.after(left);
            if (control.send("until " + later)) {
                deadline.moveTo(later);
            }
        } catch (IOException clockUnreadable) {
            throw new UncheckedIOException("cannot read the clock; the command's deadline stays", clockUnreadable);
        }
    }

    /** Sends a signal to the command's process group, by its name without SIG. */
    public void signal(String name) {
        if (!name.matches("[A-Z][A-Z0-9]*")) {
            throw new IllegalArgumentException("not a signal name: " + name);
        }
        control.send("signal " + name);
    }

    /**
     * Ends the whole session: TERM now, KILL after the grace or just before the deadline, whichever
     * is earlier.
     */
    public void stop() {
        control.send("stop");
    }

    /**
     * Waits until the command and all processes of its session are dead.
     *
     * @return the command's exit code, 128 + n if signal n ended it; 137 also if the command was
     *     not started because its deadline had passed, or if the supervisor was killed and the code
     *     is unknown
     */
    public int waitFor() throws InterruptedException {
        supervisor.waitFor();
        return finish();
    }

    /** As {@link #waitFor()}, for a limited time: whether the command has ended. */
    public boolean waitFor(Duration atMost) throws InterruptedException {
        if (!supervisor.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
            return false;
        }
        finish();
        return true;
    }

    /**
     * Enforces the deadline if the supervisor fails to, and cleans up even if nothing waits for the
     * command.
     */
    private void standBy() {
        backstop.watch();
        try {
            finish();
        } catch (InterruptedException | UncheckedIOException e) {
            // This thread is never interrupted, and a thread that waits for the command gets the
            // same exception.
        }
    }

    private synchronized int finish() throws InterruptedException {
        if (finished) {
            return exitCode;
        }
        pid();
        if (directory.supervisorDone()) {
            exitCode = supervisor.exitValue();
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
            throw new UncheckedIOException("cannot find out whether the command is dead", cannotLook);
        }
    }

    /**
     * Whether the deadline ended the command, or kept it from starting. Known once {@code waitFor}
     * has returned; false before.
     */
    public synchronized boolean endedAtDeadline() {
        return endedAtDeadline;
    }

    /**
     * The command's pid, which is also its process group and session; empty until it is started.
     */
    public OptionalLong pid() {
        if (pid.isEmpty()) {
            pid = directory.pgid();
        }
        return pid;
    }
}
