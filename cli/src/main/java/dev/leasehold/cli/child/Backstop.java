package dev.leasehold.cli.child;

import java.io.IOException;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The second line of defence: ends the command's session from within the wrapper when the guard, which should have done
 * so, was frozen or killed.
 */
final class Backstop {
    /** In hundredths of a second before the deadline: after the guard's own KILL, and before it is too late. */
    private static final long AFTER_THE_GUARD = 2;

    private static final long LONGEST_LOOK_AWAY = 100;
    private static final int ROUND_MILLIS = 20;
    private static final int ROUNDS_FOR_A_GUARD = 50;
    private static final int ROUNDS_FOR_THE_KERNEL = 500;

    private final Process guard;
    private final SupervisorDirectory directory;
    private final Platform platform;
    private final SupervisorClock clock;
    private final AtomicLong deadline;
    private final long grace;
    private volatile boolean fired;

    Backstop(
            Process guard,
            SupervisorDirectory directory,
            Platform platform,
            SupervisorClock clock,
            AtomicLong deadline,
            long grace) {
        this.guard = guard;
        this.directory = directory;
        this.platform = platform;
        this.clock = clock;
        this.deadline = deadline;
        this.grace = grace;
    }

    /** Whether something lived that long. */
    boolean fired() {
        return fired;
    }

    /** Returns when the guard has ended, or had to be ended. */
    @SuppressWarnings("CatchingUnchecked")
    void watch() {
        try {
            while (guard.isAlive()) {
                long left = left();
                if (left <= 0) {
                    killUntilGuardEnds();
                    return;
                }
                guard.waitFor(Math.min(left, LONGEST_LOOK_AWAY) * 10, TimeUnit.MILLISECONDS);
            }
        } catch (IOException | RuntimeException | InterruptedException e) {
            // Nobody interrupts this thread, and a /proc that cannot be read leaves nothing to act on.
            guard.destroyForcibly();
        }
    }

    private long left() throws IOException {
        return deadline.get() - AFTER_THE_GUARD - clock.now();
    }

    private void killUntilGuardEnds() throws IOException, InterruptedException {
        for (int round = 0; guard.isAlive() && round < ROUNDS_FOR_A_GUARD; round++) {
            OptionalLong pgid = directory.pgid();
            if (pgid.isPresent()) {
                var session = new UnixSession(platform, pgid.getAsLong());
                if (session.alive()) {
                    fired = true;
                    session.kill();
                }
            }
            guard.waitFor(ROUND_MILLIS, TimeUnit.MILLISECONDS);
        }
        // Frozen. The watcher goes too; what may be left of the command is for the thread that waits for the guard.
        guard.descendants().forEach(ProcessHandle::destroyForcibly);
        guard.destroyForcibly();
    }

    /**
     * After the guard's end without its word that all is done: TERM, the grace, KILL, and back when nothing lives.
     * Bounded: what survives KILL for ten seconds hangs in the kernel and runs no instruction any more.
     */
    void endWhatIsLeft() throws IOException, InterruptedException {
        OptionalLong pgid = directory.pgid();
        for (int round = 0; pgid.isEmpty() && round < ROUNDS_FOR_A_GUARD; round++) {
            Thread.sleep(ROUND_MILLIS); // the guard may have been killed in the middle of starting the command
            pgid = directory.pgid();
        }
        if (pgid.isEmpty()) {
            return;
        }
        var session = new UnixSession(platform, pgid.getAsLong());
        if (session.alive()) {
            session.terminate();
        }
        long killAt = clock.now() + grace;
        for (int killed = 0; session.alive() && killed < ROUNDS_FOR_THE_KERNEL; ) {
            if (clock.now() >= killAt || left() <= 0) {
                fired |= left() <= 0;
                session.kill();
                killed++;
            }
            Thread.sleep(ROUND_MILLIS);
        }
    }
}
