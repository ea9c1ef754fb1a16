package dev.leasehold.cli.leased;

import dev.leasehold.Lease;
import dev.leasehold.cli.child.SupervisedCommand;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.model.StoreUnavailableException;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The command once it runs, and before that whatever it would have had to be told. A signal that arrives while there is no
 * command yet ends the wait for the lease, as it would end any program.
 */
public final class CommandHandle {
    private final Thread waiting = Thread.currentThread();
    private @Nullable SupervisedCommand command;
    private @Nullable String earlySignal;
    private boolean printed;
    private long renewals;
    private Duration longestGap = Duration.ZERO;

    /** A signal to this program, by its name without SIG. */
    public synchronized void signal(String name) {
        if (command != null) {
            command.signal(name);
        } else {
            earlySignal = name;
            waiting.interrupt();
        }
    }

    public synchronized void started(SupervisedCommand running) {
        command = running;
        if (earlySignal != null) {
            // It came when the command was already being started: the command shall have it, and we wait on.
            Thread.interrupted();
            running.signal(earlySignal);
        }
    }

    /** Whether a signal ended the run before there was a command; the thread is then fit to clean up. */
    public synchronized boolean endedEarly() {
        boolean early = command == null && earlySignal != null;
        if (early) {
            Thread.interrupted();
        }
        return early;
    }

    /** 128 + n, as a shell reports a program that signal n ended. */
    public synchronized int earlyExitCode() {
        boolean mac = System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("mac");
        return ExitCode.SIGNAL_BASE
                + switch (earlySignal == null ? "" : earlySignal) {
                    case "HUP" -> 1;
                    case "INT" -> 2;
                    case "USR1" -> mac ? 30 : 10;
                    default -> 15;
                };
    }

    synchronized void noteOutput() {
        printed = true;
    }

    /** How often the lease was renewed. */
    public synchronized long renewals() {
        return renewals;
    }

    /** The longest time from one renewal to the next. */
    public synchronized Duration longestGap() {
        return longestGap;
    }

    public void renewed(Lease lease, Duration gap) {
        SupervisedCommand running;
        boolean report;
        synchronized (this) {
            renewals++;
            longestGap = gap.compareTo(longestGap) > 0 ? gap : longestGap;
            running = command;
            report = printed;
            printed = false;
        }
        if (running != null) {
            running.extend(lease::remaining);
        }
        if (report) {
            tellStoreOfOutput(lease);
        }
    }

    /** Once a heartbeat is often enough for the people who look at the status. */
    private static void tellStoreOfOutput(Lease lease) {
        try {
            lease.progress(null, null);
        } catch (StoreUnavailableException e) {
            // The next renewal finds out what that means; the output itself counted already.
        }
    }
}
