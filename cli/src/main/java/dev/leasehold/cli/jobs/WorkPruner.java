package dev.leasehold.cli.jobs;

import dev.leasehold.cli.output.Console;
import dev.leasehold.spi.ClockReading;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.Ticker;
import dev.leasehold.work.WorkLedger;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Prunes old work items once a day, including those of names that are no longer used. */
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

    /** Called often; prunes once a day, on its own thread because there may be many items. */
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
                console.say(pruned == 1 ? "1 old work item was pruned" : pruned + " old work items were pruned");
            }
        } catch (RuntimeException | Error e) {
            notPruned(e);
        }
    }

    /** Reports the failure; the next try is in a day. */
    private void notPruned(Throwable why) {
        console.say("warning: old work items were not pruned; the next try is in a day: "
                + (why.getMessage() == null ? why : why.getMessage()));
    }
}
