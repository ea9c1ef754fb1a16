package dev.leasehold.cli.child;

import java.io.IOException;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * The second line of defence: the wrapper itself ends the command's session if the supervisor was
 * frozen or killed.
 */
final class Backstop {
    /**
     * In hundredths of a second before the deadline: after the supervisor's own KILL, but not too
     * late.
     */
    private static final long AFTER_THE_SUPERVISOR = 2;

    private static final long LONGEST_WAIT = 100;
    private static final int ROUND_MILLIS = 20;
    private static final int ROUNDS_FOR_THE_SUPERVISOR = 50;
    private static final int ROUNDS_FOR_THE_KERNEL = 500;

    private final Process supervisor;
    private final SupervisorDirectory directory;
    private final Platform platform;
    private final Deadline deadline;
    private volatile boolean fired;

    Backstop(Process supervisor, SupervisorDirectory directory, Platform platform, Deadline deadline) {
        this.supervisor = supervisor;
        this.directory = directory;
        this.platform = platform;
        this.deadline = deadline;
    }

    /** Whether a process of the session was still alive when the deadline came. */
    boolean fired() {
        return fired;
    }

    /** Returns when the supervisor has ended, by itself or because this method killed it. */
    @SuppressWarnings("CatchingUnchecked")
    void watch() {
        try {
            while (supervisor.isAlive()) {
                long left = left();
                if (left <= 0) {
                    killUntilSupervisorEnds();
                    return;
                }
                supervisor.waitFor(Math.min(left, LONGEST_WAIT) * 10, TimeUnit.MILLISECONDS);
            }
        } catch (IOException | RuntimeException | InterruptedException e) {
            // This thread is never interrupted, and without a readable /proc there is no process to
            // find.
            supervisor.destroyForcibly();
        }
    }

    private long left() throws IOException {
        return deadline.at() - AFTER_THE_SUPERVISOR - deadline.now();
    }

    private void killUntilSupervisorEnds() throws IOException, InterruptedException {
        for (int round = 0; supervisor.isAlive() && round < ROUNDS_FOR_THE_SUPERVISOR; round++) {
            OptionalLong pgid = directory.pgid();
            if (pgid.isPresent()) {
                var session = new UnixSession(platform, pgid.getAsLong());
                if (session.alive()) {
                    fired = true;
                    session.kill();
                }
            }
            supervisor.waitFor(ROUND_MILLIS, TimeUnit.MILLISECONDS);
        }
        // The supervisor is frozen. Kill it and its watcher; the thread that waits for it ends what
        // is left of the command.
        supervisor.descendants().forEach(ProcessHandle::destroyForcibly);
        supervisor.destroyForcibly();
    }

    /**
     * Ends the session of a supervisor that ended without leaving {@code done}: TERM, the grace,
     * KILL. Returns when no process is left. Bounded: a process that survives KILL for ten seconds
     * hangs in the kernel and executes nothing any more.
     */
    void endWhatIsLeft() throws IOException, InterruptedException {
        OptionalLong pgid = directory.pgid();
        for (int round = 0; pgid.isEmpty() && round < ROUNDS_FOR_THE_SUPERVISOR; round++) {
            Thread.sleep(ROUND_MILLIS); // The supervisor may have been killed while it started the command.
            pgid = directory.pgid();
        }
        if (pgid.isEmpty()) {
            return;
        }
        var session = new UnixSession(platform, pgid.getAsLong());
        if (session.alive()) {
            session.terminate();
        }
        long killAt = deadline.now() + deadline.grace();
        for (int killed = 0; session.alive() && killed < ROUNDS_FOR_THE_KERNEL; ) {
            if (deadline.now() >= killAt || left() <= 0) {
                fired |= left() <= 0;
                session.kill();
                killed++;
            }
            Thread.sleep(ROUND_MILLIS);
        }
    }
}
