package dev.leasehold.cli.jobs;

import dev.leasehold.cli.output.Console;
import dev.leasehold.spi.ClockReading;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.Ticker;
import dev.leasehold.work.WorkLedger;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Prunes old work items once a day, also those of names under which nothing is completed any more. */
final class WorkPruner {
    private static final Duration EVERY = Duration.ofDays(1);

    private final Console console;
    private final LeaseStore store;
    private final Ticker ticker;
    private @Nullable ClockReading last;

    WorkPruner(Console console, LeaseStore store, Ticker ticker) {
        this.console = console;
        this.store = store;
        this.ticker = ticker;
    }

    /** Called often; does something when a day has passed, on a thread of its own: there may be many. */
    void pruneIfTime(Duration keep) {
        ClockReading now = ticker.read();
        if (last == null || last.elapsedUntil(now).compareTo(EVERY) >= 0) {
            last = now;
            Thread pruning = new Thread(() -> prune(keep), "leasehold-prune");
            pruning.setDaemon(true);
            try {
                pruning.start();
            } catch (OutOfMemoryError noThread) {
                notPruned(noThread);
            }
        }
    }

    private void prune(Duration keep) {
        try {
            long pruned = WorkLedger.over(store).prune(null, keep);
            if (pruned > 0) {
                console.say(pruned + " old work items were pruned");
            }
        } catch (RuntimeException | Error e) {
            notPruned(e);
        }
    }

    /** There is a next day: no reason to end the jobs. */
    private void notPruned(Throwable why) {
        console.say("warning: old work items were not pruned, which is tried again in a day: "
                + (why.getMessage() == null ? why : why.getMessage()));
    }
}
