package dev.leasehold.cli.jobs;

import dev.leasehold.cli.output.Console;
import dev.leasehold.events.OldNames;
import dev.leasehold.jobs.file.JobFile;
import dev.leasehold.model.DurationText;
import dev.leasehold.spi.ClockReading;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.Ticker;
import dev.leasehold.work.WorkLedger;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Once a day, prunes old work items of all names, and forgets names that were free for long if the job file asks for it. */
final class DailyPruning {
    private static final Duration EVERY = Duration.ofDays(1);

    private final Console console;
    private final LeaseStore store;
    private final Ticker ticker;
    private @Nullable ClockReading last;

    DailyPruning(Console console, LeaseStore store, Ticker ticker) {
        this.console = console;
        this.store = store;
        this.ticker = ticker;
    }

    /** Called often; prunes once a day, on its own thread because there may be many items and names. */
    void pruneIfTime(JobFile file) {
        ClockReading now = ticker.read();
        if (last == null || last.elapsedUntil(now).compareTo(EVERY) >= 0) {
            last = now;
            Thread pruning = new Thread(() -> prune(file), "leasehold-prune");
            pruning.setDaemon(true);
            try {
                pruning.start();
            } catch (OutOfMemoryError noThread) {
                failed("old work items were not pruned", noThread);
            }
        }
    }

    private void prune(JobFile file) {
        try {
            long pruned = WorkLedger.over(store).prune(null, file.keepDone());
            if (pruned > 0) {
                console.say(pruned == 1 ? "1 old work item was pruned" : pruned + " old work items were pruned");
            }
        } catch (RuntimeException | Error e) {
            failed("old work items were not pruned", e);
        }
        Duration keep = file.keepFree();
        if (keep != null) {
            forget(keep);
        }
    }

    private void forget(Duration keep) {
        try {
            int forgotten = new OldNames(store, "", keep).forget(lease -> {});
            if (forgotten > 0) {
                console.say((forgotten == 1 ? "1 name that was free for " : forgotten + " names that were free for ")
                        + DurationText.show(keep) + " or longer "
                        + (forgotten == 1 ? "was forgotten" : "were forgotten"));
            }
        } catch (RuntimeException | Error e) {
            failed("names that nobody uses were not forgotten", e);
        }
    }

    /** Reports the failure; the next try is in a day. */
    private void failed(String what, Throwable why) {
        console.say("warning: " + what + "; the next try is in a day: "
                + (why.getMessage() == null ? why : why.getMessage()));
    }
}
