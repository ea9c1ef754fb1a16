package dev.leasehold.simulator.soak;

import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.output.Console;
import dev.leasehold.cli.output.Json;
import dev.leasehold.cli.output.Table;
import dev.leasehold.cli.output.Terminal;
import dev.leasehold.model.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Renders a soak as text and as JSON. */
public final class SoakViews {
    private static final String CLEAR_LINE = "\r\033[K";

    private final Invocation invocation;
    private final Console console;
    private final Duration lasting;
    private final boolean inPlace;

    public SoakViews(Invocation invocation, Duration lasting) {
        this.invocation = invocation;
        this.console = invocation.console();
        this.lasting = lasting;
        this.inPlace = !invocation.json() && !console.isQuiet() && Terminal.isOnStdout();
    }

    void live(Soak.Live live) {
        Map<String, Long> leases = live.leases();
        String line = DurationText.show(live.since()) + " of " + DurationText.show(lasting) + ": "
                + live.tally().of("rounds") + " rounds, " + leases.getOrDefault("acquired", 0L) + " leases, "
                + leases.getOrDefault("renewals", 0L) + " renewals, "
                + live.tally().of("writes") + " writes, "
                + live.tally().of("stale_writes_refused") + " stale refused, "
                + live.tally().failed() + " checks failed; "
                + megabytes(live.now().memory()) + ", " + live.now().threads() + " threads, "
                + live.now().handles() + " handles";
        if (inPlace) {
            console.out().print(CLEAR_LINE + line);
            console.out().flush();
        } else {
            console.say(line);
        }
    }

    public void summary(Soak.Result result) {
        if (inPlace) {
            console.out().print(CLEAR_LINE);
        }
        if (invocation.json()) {
            console.print(json(result).toString());
            return;
        }
        Tally tally = result.tally();
        console.print(tally.of("rounds") + " rounds in " + DurationText.show(result.took()) + " by " + Soak.WORKERS
                + " workers on " + Soak.NAMES + " names");
        console.print("leases: " + words(result.leases()));
        console.print("seen:   " + words(tally.counts()));
        String unavailable = tally.lastUnavailable();
        if (unavailable != null) {
            console.print(console.safe("no answer " + tally.of("unavailable") + " times, last: " + unavailable));
        }
        footprints(result).lines().forEach(console::print);
        tally.failures().forEach(failure -> console.print(console.safe("FAILED  " + failure)));
        console.print(verdict(result));
    }

    private static String verdict(Soak.Result result) {
        long failed = result.tally().failed();
        String checks = result.tally().of("rounds") == 0
                ? "no round was finished"
                : failed == 0 ? "all checks held" : failed + " checks failed";
        if (!result.warm()) {
            return checks + "; too short to tell whether anything grows";
        }
        return checks + ", " + (result.grew() ? "and something GREW" : "nothing grew");
    }

    private static Table footprints(Soak.Result result) {
        Footprint start = result.start();
        Footprint middle = result.middle();
        Footprint end = result.end();
        return new Table("", "START", "MIDDLE", "END", "")
                .row(
                        "memory after collection",
                        megabytes(start.memory()),
                        megabytes(middle.memory()),
                        megabytes(end.memory()),
                        grew(result, end.outgrewMemoryOf(start)))
                .row(
                        "threads",
                        String.valueOf(start.threads()),
                        String.valueOf(middle.threads()),
                        String.valueOf(end.threads()),
                        grew(result, end.outgrewThreadsOf(start)))
                .row(
                        "open handles",
                        handles(start),
                        handles(middle),
                        handles(end),
                        grew(result, end.outgrewHandlesOf(start)));
    }

    private static String handles(Footprint footprint) {
        return footprint.handles() < 0 ? "?" : String.valueOf(footprint.handles());
    }

    private static String grew(Soak.Result result, boolean grew) {
        if (!result.warm()) {
            return "";
        }
        return grew ? "GREW" : "did not grow";
    }

    private static String words(Map<String, Long> counts) {
        List<String> words = new ArrayList<>();
        counts.forEach((what, times) -> words.add(times + " " + what.replace('_', ' ')));
        return String.join(", ", words);
    }

    private static String megabytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f MB", bytes / 1048576.0);
    }

    private static Json json(Soak.Result result) {
        return new Json()
                .put("tookMs", result.took())
                .put("leases", result.leases())
                .put("seen", result.tally().counts())
                .put("failed", result.tally().failed())
                .put("failures", result.tally().failures())
                .put("warm", result.warm())
                .put("grew", result.grew())
                .put("start", json(result.start()))
                .put("middle", json(result.middle()))
                .put("end", json(result.end()));
    }

    private static Json json(Footprint footprint) {
        return new Json()
                .put("memoryBytes", footprint.memory())
                .put("threads", footprint.threads())
                .put("handles", footprint.handles());
    }
}
