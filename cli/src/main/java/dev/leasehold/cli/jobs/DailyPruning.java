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
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Once a day, prunes old work items of all names, and forgets names that were free for long if the job file asks for it. */
final class DailyPruning {
    private static final Duration EVERY = Duration.ofDays(1);

    private final Console console;
    private final LeaseStore store;
    private final Ticker ticker;
    private @Nullable ClockReading last;
    private volatile boolean ended;

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

    /** The store is about to be closed: what fails from now on is no failure. */
    void end() {
        ended = true;
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
        if (keep != null && !ended) {
            forget(keep);
        }
    }

    private void forget(Duration keep) {
        AtomicInteger forgotten = new AtomicInteger();
        try {
            new OldNames(store, "", keep).forget(lease -> forgotten.incrementAndGet());
            sayForgotten(forgotten.get(), keep);
        } catch (RuntimeException | Error e) {
            sayForgotten(forgotten.get(), keep);
            failed(
                    forgotten.get() == 0
                            ? "names that nobody uses were not forgotten"
                            : "not all names that nobody uses were forgotten",
                    e);
        }
    }

    private void sayForgotten(int count, Duration keep) {
        if (count > 0) {
            console.say((count == 1 ? "1 name that was free for " : count + " names that were free for ")
                    + DurationText.show(keep) + " or longer " + (count == 1 ? "was forgotten" : "were forgotten"));
        }
    }

    /** Reports the failure, unless the program ends; the next try is in a day. */
    private void failed(String what, Throwable why) {
        if (ended) {
            return;
        }
        console.say("warning: " + what + "; the next try is in a day: "
                + (why.getMessage() == null ? why : why.getMessage()));
    }
}
