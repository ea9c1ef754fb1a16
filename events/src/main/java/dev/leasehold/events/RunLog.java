package dev.leasehold.events;

import dev.leasehold.internal.Contention;
import dev.leasehold.internal.Fields;
import dev.leasehold.internal.NamedRecords;
import dev.leasehold.internal.Words;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.spi.CasRegister;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The log of the runs of each name: the latest entries and a counter for each kind, in the store's
 * register. It informs people and decides nothing, so under contention an entry may be lost.
 */
public final class RunLog {
    /** The counter of the milliseconds that all runs took together. */
    public static final String RUN_TIME = "duration_ms";

    private static final String HEADER = "leasehold runs 1";
    private static final String PREFIX = "runs/";
    private static final String COUNTER = "count-";
    private static final String RUN = "run";
    private static final String SKIP = "skip";
    private static final String OUTPUT = "output";
    private static final int RUNS_KEPT = 50;
    private static final int OUTPUTS_KEPT = 5;
    private static final int MAX_OUTPUT = 4096;
    private static final int SKIPS_KEPT = 25;
    private static final int MAX_RUN_DETAIL = 400;
    private static final int MAX_SKIP_DETAIL = 200;

    private final CasRegister register;
    private final NamedRecords names;
    private final Contention contention = Contention.system();

    public RunLog(CasRegister register) {
        this.register = register;
        this.names = new NamedRecords(register, PREFIX);
    }

    /**
     * The log of one name.
     *
     * @param counters the number of entries of each kind since the first run
     */
    public record Summary(List<RunEntry> newestFirst, Map<String, Long> counters) {}

    /** Appends an entry, with the store's time: the clocks of the hosts that append may differ. */
    public void append(LeaseName name, RunEntry entry) {
        contention.resolve("the runs of " + name, () -> {
            CasRegister.Reading reading = register.read(PREFIX + name);
            boolean written = register.compareAndSet(PREFIX + name, reading.version(), withEntry(name, reading, entry));
            return written ? Optional.of(entry) : Optional.empty();
        });
    }

    /** The names that have a log and sort after {@code after}, with the versions of their logs, in order. */
    Map<LeaseName, String> versions(String after, int limit) {
        return names.versions(after, limit);
    }

    /** The names that have a log and sort after {@code after}, in order. */
    public List<LeaseName> names(String after, int limit) {
        return names.names(after, limit);
    }

    /** Removes the log of a name. */
    public void remove(LeaseName name) {
        register.remove(PREFIX + name, register.read(PREFIX + name).version());
    }

    /** Reads the log of a name. */
    public Summary of(LeaseName name) {
        Fields fields = fields(name, register.read(PREFIX + name));
        try {
            List<RunEntry> entries = new ArrayList<>();
            for (String line : fields.all(RUN)) {
                entries.add(entryOf(line));
            }
            for (String line : fields.all(SKIP)) {
                entries.add(entryOf(line));
            }
            addOutput(fields, entries);
            entries.sort(Comparator.comparing(RunEntry::at).reversed());
            return new Summary(entries, fields.numbersStartingWith(COUNTER));
        } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
            throw unreadable(name, e);
        }
    }

    /** The time of an entry identifies it. */
    private static void addOutput(Fields fields, List<RunEntry> entries) {
        Map<Instant, List<String>> printed = new HashMap<>();
        for (String line : fields.all(OUTPUT)) {
            Words words = new Words("the output of a run", line);
            printed.put(words.instant(), List.of(words.rest().split("\n", -1)));
        }
        entries.replaceAll(entry -> printed.containsKey(entry.at()) ? entry.printed(printed.get(entry.at())) : entry);
    }

    /** The last lines that fit. */
    private static @Nullable String outputOf(RunEntry entry) {
        if (entry.output().isEmpty()) {
            return null;
        }
        String text = String.join("\n", entry.output());
        return Words.join(entry.at(), text.substring(Math.max(0, text.length() - MAX_OUTPUT)));
    }

    /**
     * Copies earlier entries without parsing them: each run appends an entry, and few are ever
     * read.
     */
    private static String withEntry(LeaseName name, CasRegister.Reading reading, RunEntry given) {
        Fields before = fields(name, reading);
        RunEntry entry = given.datedBy(timeOfNext(name, before, reading.at()));
        String text = withEntry(before, entry, RUNS_KEPT);
        // Entries of the largest size need more room than a register has.
        for (int kept = RUNS_KEPT - 5; kept > 0 && isTooLarge(text); kept -= 5) {
            text = withEntry(before, entry, kept);
        }
        return text;
    }

    /** Later than every entry before it, so that the time of an entry identifies it. */
    private static Instant timeOfNext(LeaseName name, Fields before, Instant now) {
        // As precise as an entry.
        Instant next = now.truncatedTo(ChronoUnit.MICROS);
        try {
            for (String kind : List.of(RUN, SKIP)) {
                List<String> lines = before.all(kind);
                Instant latest = lines.isEmpty() ? Instant.MIN : new Words("an entry", lines.get(0)).instant();
                next = latest.isBefore(next) ? next : latest.plus(1, ChronoUnit.MICROS);
            }
            return next;
        } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
            throw unreadable(name, e);
        }
    }

    private static boolean isTooLarge(String text) {
        return text.length() > CasRegister.MAX_VALUE_BYTES / 3
                && text.getBytes(StandardCharsets.UTF_8).length > CasRegister.MAX_VALUE_BYTES;
    }

    private static String withEntry(Fields before, RunEntry entry, int runsKept) {
        Fields after = new Fields(HEADER);
        for (Map.Entry<String, Long> counter : counted(before, entry).entrySet()) {
            after.put(COUNTER + counter.getKey(), counter.getValue());
        }
        // Kept apart, so that many skips during one long run do not displace the entries of runs.
        boolean ran = entry.token() != null;
        keep(before, after, RUN, ran ? line(entry, MAX_RUN_DETAIL) : null, runsKept);
        keep(before, after, SKIP, ran ? null : line(entry, MAX_SKIP_DETAIL), SKIPS_KEPT);
        keep(before, after, OUTPUT, outputOf(entry), OUTPUTS_KEPT);
        return after.format();
    }

    private static Map<String, Long> counted(Fields before, RunEntry entry) {
        Map<String, Long> counters = before.numbersStartingWith(COUNTER);
        counters.merge(entry.kind(), 1L, Long::sum);
        RunEntry.Renewals renewals = entry.renewals();
        if (renewals != null) {
            counters.merge("acquired", 1L, Long::sum);
            counters.merge("renewals", renewals.count(), Long::sum);
            counters.merge(RUN_TIME, entry.duration().toMillis(), Long::sum);
        }
        return counters;
    }

    private static void keep(Fields before, Fields after, String kind, @Nullable String newest, int kept) {
        after.put(kind, newest);
        List<String> earlier = before.all(kind);
        int left = newest == null ? kept : kept - 1;
        for (String line : earlier.subList(0, Math.min(left, earlier.size()))) {
            after.put(kind, line);
        }
    }

    private static Fields fields(LeaseName name, CasRegister.Reading reading) {
        if (reading.value().isEmpty()) {
            return new Fields(HEADER);
        }
        try {
            return Fields.parse(HEADER, reading.value().get());
        } catch (IllegalArgumentException e) {
            throw unreadable(name, e);
        }
    }

    private static StoreCorruptException unreadable(LeaseName name, RuntimeException e) {
        return new StoreCorruptException(
                "the log of the runs of " + name + " cannot be read: " + e.getMessage() + ". Nothing was changed", e);
    }

    private static String line(RunEntry entry, int maxDetail) {
        String detail = entry.detail().length() <= maxDetail
                ? entry.detail()
                : entry.detail().substring(0, maxDetail);
        String holder = entry.holder().value();
        RunEntry.Renewals renewals = entry.renewals();
        String measured = renewals == null
                ? ""
                : "/" + renewals.ttl().toMillis() + "/" + renewals.heartbeat().toMillis() + "/" + renewals.count() + "/"
                        + renewals.longestGap().toMillis();
        return Words.join(
                entry.at(),
                entry.kind(),
                entry.token(),
                entry.duration().toMillis() + measured,
                texts(holder, entry.origin()) + detail);
    }

    /** Their lengths, divided by slashes, then the texts; earlier versions wrote only the holder. */
    private static String texts(String holder, @Nullable RunOrigin origin) {
        if (origin == null) {
            return holder.length() + " " + holder;
        }
        String[] texts = {holder, origin.command(), origin.user(), origin.host(), origin.directory()};
        StringBuilder lengths = new StringBuilder();
        for (String text : texts) {
            lengths.append(lengths.isEmpty() ? "" : "/").append(text.length());
        }
        return lengths.append(' ') + String.join("", texts);
    }

    private static RunEntry entryOf(String line) {
        Words words = new Words("an entry", line);
        Instant at = words.instant();
        String kind = words.word();
        FencingToken token = words.optional(FencingToken::parse);
        String[] times = words.word().split("/", -1);
        String[] lengths = words.word().split("/", -1);
        String[] texts = texts(lengths, words.rest());
        return new RunEntry(
                at,
                kind,
                token,
                Holder.of(texts[0]),
                millis(times[0]),
                texts[lengths.length],
                times.length == 5
                        ? new RunEntry.Renewals(
                                millis(times[1]), millis(times[2]), Fields.number(times[3]), millis(times[4]))
                        : null,
                lengths.length == 5 ? new RunOrigin(texts[1], texts[2], texts[3], texts[4]) : null,
                List.of());
    }

    /** The texts of these lengths, then what is left. */
    private static String[] texts(String[] lengths, String joined) {
        String[] texts = new String[lengths.length + 1];
        int from = 0;
        for (int i = 0; i < lengths.length; i++) {
            int length = Fields.smallNumber(lengths[i]);
            if (length < 0 || length > joined.length() - from) {
                throw new IllegalArgumentException("an entry has a wrong length");
            }
            texts[i] = joined.substring(from, from + length);
            from += length;
        }
        texts[lengths.length] = joined.substring(from);
        return texts;
    }

    private static Duration millis(String text) {
        return Duration.ofMillis(Fields.number(text));
    }
}
