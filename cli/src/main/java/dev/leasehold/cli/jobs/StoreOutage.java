package dev.leasehold.cli.jobs;

import dev.leasehold.cli.output.Console;
import dev.leasehold.model.DurationText;
import dev.leasehold.spi.ClockReading;
import dev.leasehold.spi.Ticker;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reports an outage of the store in two lines, however many jobs ask and however often they try. Safe for use by many
 * threads.
 */
final class StoreOutage {
    /** Longer than it takes until every job has tried again. A store that answers some questions is not back. */
    private static final Duration QUIET = Duration.ofSeconds(5);

    private final Console console;
    private final Ticker ticker;
    private final Consumer<Boolean> onChange;
    private volatile @Nullable ClockReading began;
    private @Nullable ClockReading last;
    private long failures;

    /** @param onChange told whether the store answers, when that changes */
    StoreOutage(Console console, Ticker ticker, Consumer<Boolean> onChange) {
        this.console = console;
        this.ticker = ticker;
        this.onChange = onChange;
    }

    synchronized void failed(String why) {
        last = ticker.read();
        failures++;
        if (began == null) {
            began = last;
            onChange.accept(false);
            console.error("the store does not answer: " + why
                    + ". No slot starts here until it does; trying again, and saying so when it answers");
        }
    }

    /** Called often, so it does nothing most of the time. */
    void answered() {
        if (began != null) {
            end();
        }
    }

    private synchronized void end() {
        ClockReading first = began;
        ClockReading now = ticker.read();
        if (first == null || last == null || last.elapsedUntil(now).compareTo(QUIET) < 0) {
            return;
        }
        Duration lasted = Duration.ofSeconds(first.elapsedUntil(last).toSeconds());
        console.error("the store answers again. It did not for " + DurationText.show(lasted) + " ("
                + (failures == 1 ? "1 call" : failures + " calls") + " failed)");
        began = null;
        failures = 0;
        onChange.accept(true);
    }
}
