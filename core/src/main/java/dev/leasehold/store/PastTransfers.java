package dev.leasehold.store;

import dev.leasehold.internal.Contention;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.ClocklessRegister;
import dev.leasehold.spi.LeaseStore;
import java.time.DateTimeException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Older transfers of each name, under a key of their own. The record of a lease is written in every step, so it has only
 * the latest ones; several at a time move here before they leave the record. Transfers are facts, so it does no harm if
 * two clients add the same ones, or if the step that follows fails. The record says from which token on they are its
 * own; lower ones are of a life of the name that was forgotten.
 */
final class PastTransfers {
    static final String PREFIX = "lease-history/";

    private static final int MAX_WRITTEN = 1000;

    /** @param lines by token, latest first */
    private record Written(String version, NavigableMap<Long, String> lines) {}

    private final CasRegister register;
    private final Contention contention;

    /** What this client wrote last. It saves a reading; a version that is out of date makes the write fail. */
    private final Map<String, Written> written = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Written> eldest) {
            return size() > MAX_WRITTEN;
        }
    };

    PastTransfers(CasRegister register, Contention contention) {
        this.register = register;
        this.contention = contention;
    }

    /**
     * Adds the transfers of a record before they leave it.
     *
     * @param text the text of the record
     * @param next the record that replaces it
     * @return the lowest token of this life of the name. Transfers with lower ones are of a life that was forgotten: a client
     *     that was late has added them afterwards, or died before it removed them
     */
    long add(String text, LeaseRecord next) {
        String key = PREFIX + next.name();
        NavigableMap<Long, String> lines = RecordText.readableHistory(text);
        long from = from(text, lines, next);
        Written last = takeWritten(key);
        if (last == null || add(key, last, lines, from) != Addition.WRITTEN) {
            contention.resolve("the history of " + next.name(), () -> {
                Addition addition = add(key, read(key), lines, from);
                return addition == Addition.OUTDATED ? Optional.empty() : Optional.of(addition);
            });
        }
        return from;
    }

    private static long from(String text, NavigableMap<Long, String> lines, LeaseRecord next) {
        try {
            OptionalLong known = RecordText.historyFrom(text);
            if (known.isPresent()) {
                return known.getAsLong();
            }
        } catch (IllegalArgumentException e) {
            // Damaged: what is in the record is of this life.
        }
        return lines.isEmpty() ? next.token().value() : lines.lastKey();
    }

    private Written read(String key) {
        CasRegister.Reading reading = register.read(key);
        return new Written(
                reading.version(), RecordText.readableHistory(reading.value().orElse("")));
    }

    private enum Addition {
        WRITTEN,
        /** All lines were there. */
        NEEDLESS,
        OUTDATED
    }

    private Addition add(String key, Written before, NavigableMap<Long, String> lines, long from) {
        NavigableMap<Long, String> all = new TreeMap<>(before.lines);
        all.putAll(lines);
        all.tailMap(from, false).clear();
        while (all.size() > LeaseStore.HISTORY_KEPT) {
            all.pollLastEntry();
        }
        if (all.equals(before.lines)) {
            return Addition.NEEDLESS;
        }
        return write(key, before.version, all) ? Addition.WRITTEN : Addition.OUTDATED;
    }

    private boolean write(String key, String expected, NavigableMap<Long, String> lines) {
        String text = RecordText.formatPast(lines.values());
        if (!(register instanceof ClocklessRegister clockless)) {
            return register.compareAndSet(key, expected, text);
        }
        Optional<String> version = clockless.replace(key, expected, text);
        version.ifPresent(now -> remember(key, new Written(now, lines)));
        return version.isPresent();
    }

    private void remember(String key, Written now) {
        synchronized (written) {
            written.put(key, now);
        }
    }

    /** Once: if the write fails, the next one reads. */
    private @Nullable Written takeWritten(String key) {
        synchronized (written) {
            return written.remove(key);
        }
    }

    /** Those with a token from the first number on and below the second one, latest first. */
    List<Transfer> of(LeaseName name, long from, long below) {
        return reading(name).value().map(text -> parse(name, text)).orElse(List.of()).stream()
                .filter(transfer ->
                        transfer.token().value() >= from && transfer.token().value() < below)
                .toList();
    }

    private static List<Transfer> parse(LeaseName name, String text) {
        try {
            return RecordText.parsePast(text);
        } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
            throw new StoreCorruptException(
                    "the record under '" + PREFIX + name + "' with older transfers cannot be read: " + e.getMessage()
                            + "; the lease is not affected. Restore it from a backup, or remove it",
                    e);
        }
    }

    /** To remove it. Must be read before the record: it then is of the life of the name that ends, or of an earlier one. */
    CasRegister.Reading reading(LeaseName name) {
        return register.read(PREFIX + name);
    }

    /** Removes only what was read, because another life of the name may have begun. */
    void remove(LeaseName name, CasRegister.Reading reading) {
        if (reading.value().isPresent()) {
            register.remove(PREFIX + name, reading.version());
        }
    }
}
