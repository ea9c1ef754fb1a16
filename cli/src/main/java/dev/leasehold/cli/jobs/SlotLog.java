package dev.leasehold.cli.jobs;

import dev.leasehold.cli.output.Console;
import dev.leasehold.cli.output.Json;
import dev.leasehold.cli.output.MessageStyle;
import dev.leasehold.jobs.Job;
import dev.leasehold.jobs.Slot;
import dev.leasehold.model.LeaseName;
import java.io.PrintStream;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What the program says about slots: lines with the time, in the zone of the job, or one JSON object per line. The other
 * messages of the program get the same form. Safe for use by many threads.
 */
final class SlotLog implements MessageStyle {
    /** How lines look. */
    enum Format {
        /** As the messages of every command. */
        PLAIN,
        TEXT,
        JSON
    }

    private final Console console;
    private final Format format;
    private final InstantSource clock;
    private final AtomicBoolean lost = new AtomicBoolean();
    private final Map<LeaseName, ZoneId> zones = new ConcurrentHashMap<>();

    SlotLog(Console console, Format format, InstantSource clock) {
        this.console = console;
        this.format = format;
        this.clock = clock;
    }

    /** From now on, all messages of the program have this form. */
    void begin() {
        if (format != Format.PLAIN) {
            // Whoever reads JSON reads one stream.
            console.style(this, format == Format.JSON ? console.out() : console.err());
        }
    }

    Format format() {
        return format;
    }

    /** From now on, the times of these jobs are shown in their zones. */
    void show(List<Job> jobs) {
        jobs.forEach(job -> zones.put(job.name(), job.schedule().zone()));
    }

    /** A message that concerns no slot. */
    @Override
    public String line(String message, boolean error) {
        return format == Format.JSON
                ? json(error).put("event", "message").put("message", message).toString()
                : "leasehold: " + inZone(clock.instant(), ZoneOffset.UTC) + " " + message;
    }

    /** A slot as people read it. */
    String show(Slot slot) {
        ZoneId zone = format == Format.PLAIN ? ZoneOffset.UTC : zoneOf(slot.job());
        return slot.job() + "@" + at(slot.at(), zone);
    }

    void say(Slot slot, String event, String text, Json details) {
        write(slot, event, text, details, false);
    }

    void error(Slot slot, String event, String text, Json details) {
        write(slot, event, text, details, true);
    }

    /** A problem with a job that concerns no slot. */
    void trouble(LeaseName job, String text) {
        if (format == Format.JSON) {
            print(json(true).put("event", "trouble").put("job", job).put("message", console.safe(text)));
        } else if (format == Format.TEXT) {
            print(prefix(job) + "job " + job + ": " + console.safe(text));
        } else {
            console.error("job " + job + ": " + text);
        }
    }

    private void write(Slot slot, String event, String text, Json details, boolean error) {
        if (format == Format.PLAIN) {
            if (error) {
                console.error(show(slot) + " " + text);
            } else {
                console.say(show(slot) + " " + text);
            }
        } else if (error || !console.isQuiet()) {
            print(
                    format == Format.TEXT
                            ? prefix(slot.job()) + console.safe(show(slot) + " " + text)
                            : json(error)
                                    .put("event", event)
                                    .put("job", slot.job())
                                    .put("slot", slot.at())
                                    .putAll(details)
                                    .put("message", console.safe(text)));
        }
    }

    private String prefix(LeaseName job) {
        return "leasehold: " + inZone(clock.instant(), zoneOf(job)) + " ";
    }

    private void print(Object line) {
        PrintStream to = format == Format.JSON ? console.out() : console.err();
        to.println(line);
        reportIfLost(to);
    }

    /** Says once that nobody gets the output. The jobs go on: their work matters more than what they print. */
    void reportIfLost(PrintStream to) {
        if (to != console.err() && to.checkError() && lost.compareAndSet(false, true)) {
            String what =
                    "output of jobs is lost: it cannot be written here (a full disk, or nobody reads it). The jobs go on";
            // In JSON, messages take the way that has just failed.
            console.err().println(format == Format.JSON ? MessageStyle.PREFIXED.line(what, true) : line(what, true));
        }
    }

    private Json json(boolean error) {
        return new Json()
                .put("at", clock.instant().truncatedTo(ChronoUnit.MILLIS))
                .put("level", error ? "error" : "info");
    }

    private ZoneId zoneOf(LeaseName job) {
        return zones.getOrDefault(job, ZoneOffset.UTC);
    }

    private static String inZone(Instant instant, ZoneId zone) {
        return at(instant.truncatedTo(ChronoUnit.SECONDS), zone);
    }

    /** With the offset, so that it is clear on the day of a clock change too. */
    static String at(Instant instant, ZoneId zone) {
        // An instant in UTC as everywhere else: with a Z.
        return zone.equals(ZoneOffset.UTC) || zone.getId().equals("UTC")
                ? instant.toString()
                : DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(instant.atZone(zone));
    }
}
