package dev.leasehold.cli.leased;

import dev.leasehold.Lease;
import dev.leasehold.cli.child.SupervisedCommand;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.StoreUnavailableException;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Passes signals and renewals on to a command. It exists before the command does: a signal that
 * arrives while the program still waits for the lease ends that wait, as it would end any program.
 * Safe for use by many threads.
 */
public final class CommandHandle {
    private final Thread waiting = Thread.currentThread();
    private @Nullable SupervisedCommand command;
    private @Nullable String earlySignal;
    private boolean printed;
    private long renewals;
    private Duration longestGap = Duration.ZERO;

    /** Handles a signal to this program, by its name without SIG. */
    public synchronized void signal(String name) {
        if (command != null) {
            command.signal(name);
        } else {
            earlySignal = name;
            waiting.interrupt();
        }
    }

    /** Connects the handle to the command, which from now on receives the signals. */
    public synchronized void started(SupervisedCommand running) {
        command = running;
        if (earlySignal != null) {
            // The signal arrived while the command was being started. The command handles it; this
            // thread waits on.
            Thread.interrupted();
            running.signal(earlySignal);
        }
    }

    /**
     * Whether a signal ended the run before the command started. Clears the interrupt, so that the
     * caller can clean up.
     */
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

    /** Counts a renewal of the lease and moves the deadline of the command. */
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
            reportOutput(lease);
        }
    }

    /**
     * Records output as progress in the store, once a heartbeat: that is often enough for people
     * who read the status.
     */
    private static void reportOutput(Lease lease) {
        try {
            lease.progress(null, null);
        } catch (StoreUnavailableException e) {
            // The next renewal deals with the store. The output has already counted as progress in
            // this process.
        }
    }

    /**
     * The warning about a renewal that took more than 80 % of the trusted time; null if it came in
     * time.
     */
    public static @Nullable String lateRenewal(LeaseName name, LeaseTerms terms, Duration gap) {
        Duration trusted = terms.trustedFor();
        return gap.toNanos() <= trusted.toNanos() / 10 * 8
                ? null
                : "warning: the renewal of " + name + " came after " + DurationText.show(gap) + " of the trusted "
                        + DurationText.show(trusted) + "; raise the ttl";
    }
}
