package dev.leasehold;

import dev.leasehold.internal.Fields;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.spi.CasRegister;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Why the last runs of a name ran, skipped, were lost or refused: the latest entries and a counter for each kind, kept in the
 * store's register. It informs people and decides nothing, so writing it is best effort under contention.
 */
public final class RunLog {
    private static final String HEADER = "leasehold runs 1";
    private static final String PREFIX = "runs/";
    private static final String COUNTER = "count-";
    private static final String RUN = "run";
    private static final int KEPT = 50;
    private static final int MAX_TRIES = 8;
    private static final int MAX_DETAIL = 500;

    private final CasRegister register;

    public RunLog(CasRegister register) {
        this.register = register;
    }

    /**
     * What is known of a name's runs.
     *
     * @param counters how often each kind happened since the name's first run
     */
    public record Summary(List<RunEntry> newestFirst, Map<String, Long> counters) {}

    /** False if other writers were faster every time; the entry is then not recorded. */
    public boolean append(LeaseName name, RunEntry entry) {
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            CasRegister.Reading reading = register.read(PREFIX + name);
            if (register.compareAndSet(PREFIX + name, reading.version(), withEntry(name, reading, entry))) {
                return true;
            }
        }
        return false;
    }

    public Summary of(LeaseName name) {
        Fields fields = fields(name, register.read(PREFIX + name));
        try {
            List<RunEntry> entries = new ArrayList<>();
            for (String line : fields.all(RUN)) {
                entries.add(entryOf(line));
            }
            return new Summary(entries, fields.numbersStartingWith(COUNTER));
        } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
            throw unreadable(name, e);
        }
    }

    /** Earlier entries are passed on as they are: every run appends one, and few are ever read. */
    private static String withEntry(LeaseName name, CasRegister.Reading reading, RunEntry entry) {
        Fields before = fields(name, reading);
        Map<String, Long> counters = before.numbersStartingWith(COUNTER);
        counters.merge(entry.kind(), 1L, Long::sum);
        Fields after = new Fields(HEADER);
        for (Map.Entry<String, Long> counter : counters.entrySet()) {
            after.put(COUNTER + counter.getKey(), counter.getValue());
        }
        after.put(RUN, line(entry));
        List<String> earlier = before.all(RUN);
        for (String line : earlier.subList(0, Math.min(KEPT - 1, earlier.size()))) {
            after.put(RUN, line);
        }
        return after.format();
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
                "the record of the runs of " + name + " cannot be read: " + e.getMessage() + ". Nothing was changed",
                e);
    }

    private static String line(RunEntry entry) {
        String detail = entry.detail().length() <= MAX_DETAIL
                ? entry.detail()
                : entry.detail().substring(0, MAX_DETAIL);
        String holder = entry.holder().value();
        return Fields.micros(entry.at()) + " " + entry.kind() + " " + (entry.token() == null ? "-" : entry.token())
                + " " + entry.duration().toMillis() + " " + holder.length() + " " + holder + detail;
    }

    private static RunEntry entryOf(String line) {
        String[] parts = line.split(" ", 6);
        if (parts.length < 6) {
            throw new IllegalArgumentException("an entry is cut off");
        }
        int holderLength = Integer.parseInt(parts[4]);
        if (holderLength < 0 || holderLength > parts[5].length()) {
            throw new IllegalArgumentException("an entry has a wrong length");
        }
        return new RunEntry(
                Fields.instant(parts[0]),
                parts[1],
                parts[2].equals("-") ? null : FencingToken.parse(parts[2]),
                Holder.of(parts[5].substring(0, holderLength)),
                Duration.ofMillis(Long.parseLong(parts[3])),
                parts[5].substring(holderLength));
    }
}
