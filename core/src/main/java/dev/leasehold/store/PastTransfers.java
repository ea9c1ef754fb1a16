package dev.leasehold.store;

import dev.leasehold.internal.Contention;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.ClocklessRegister;
import dev.leasehold.spi.LeaseStore;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Older transfers of each name, under a key of their own. The record of a lease is written in every step, so it has only
 * the latest ones; several at a time move here before they leave the record. Transfers are facts, so it does no harm if
 * two clients add the same ones, or if the step that follows fails.
 */
final class PastTransfers {
    static final String PREFIX = "lease-history/";

    private static final int MAX_WRITTEN = 1000;

    private record Written(String version, List<String> lines) {}

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

    /** @param lines as {@link RecordText} has them */
    void add(LeaseName name, List<String> lines) {
        String key = PREFIX + name;
        Written last = takeWritten(key);
        if (last != null && add(key, last, lines) == Addition.WRITTEN) {
            return;
        }
        contention.resolve("the history of " + name, () -> {
            CasRegister.Reading before = register.read(key);
            Addition addition = add(key, new Written(before.version(), readable(before)), lines);
            return addition == Addition.OUTDATED ? Optional.empty() : Optional.of(addition);
        });
    }

    private enum Addition {
        WRITTEN,
        /** All lines were there. */
        NEEDLESS,
        OUTDATED
    }

    private Addition add(String key, Written before, List<String> lines) {
        Map<Long, String> byToken = new TreeMap<>(Comparator.reverseOrder());
        for (String line : before.lines) {
            byToken.put(RecordText.tokenOfLine(line), line);
        }
        boolean grew = false;
        for (String line : lines) {
            grew |= byToken.put(RecordText.tokenOfLine(line), line) == null;
        }
        if (!grew) {
            return Addition.NEEDLESS;
        }
        List<String> kept =
                byToken.values().stream().limit(LeaseStore.HISTORY_KEPT).toList();
        return write(key, before.version, kept) ? Addition.WRITTEN : Addition.OUTDATED;
    }

    private boolean write(String key, String expected, List<String> lines) {
        String text = RecordText.formatPast(lines);
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

    /** None if the text is damaged: a lease must not stay taken because its history cannot be read. */
    private static List<String> readable(CasRegister.Reading reading) {
        try {
            return RecordText.pastLines(reading.value().orElse(""));
        } catch (IllegalArgumentException e) {
            return List.of();
        }
    }

    /** Latest first. */
    List<Transfer> of(LeaseName name) {
        String text = register.read(PREFIX + name).value().orElse("");
        try {
            return RecordText.parsePast(text);
        } catch (IllegalArgumentException e) {
            throw new StoreCorruptException(
                    "the record under '" + PREFIX + name + "' with older transfers cannot be read: " + e.getMessage()
                            + "; the lease is not affected. Restore it from a backup, or remove it",
                    e);
        }
    }

    void remove(LeaseName name) {
        CasRegister.Reading reading = register.read(PREFIX + name);
        if (reading.value().isPresent()) {
            register.remove(PREFIX + name, reading.version());
        }
    }
}
