package dev.leasehold.store;

import dev.leasehold.internal.Contention;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Older transfers of each name, under a key of their own. The record of a lease is written in every step, so it has only
 * the latest ones; several at a time move here before they leave the record. Transfers are facts, so it does no harm if
 * two clients add the same ones, or if the step that follows fails.
 */
final class PastTransfers {
    static final String PREFIX = "lease-history/";

    private final CasRegister register;
    private final Contention contention;

    PastTransfers(CasRegister register, Contention contention) {
        this.register = register;
        this.contention = contention;
    }

    /** @param lines as {@link RecordText} has them */
    void add(LeaseName name, List<String> lines) {
        String key = PREFIX + name;
        contention.resolve("the history of " + name, () -> {
            CasRegister.Reading before = register.read(key);
            Map<Long, String> byToken = new TreeMap<>(Comparator.reverseOrder());
            for (String line : readable(before)) {
                byToken.put(RecordText.tokenOfLine(line), line);
            }
            boolean grew = false;
            for (String line : lines) {
                grew |= byToken.put(RecordText.tokenOfLine(line), line) == null;
            }
            List<String> all = new ArrayList<>(byToken.values());
            List<String> kept = all.subList(0, Math.min(LeaseStore.HISTORY_KEPT, all.size()));
            return !grew || register.compareAndSet(key, before.version(), RecordText.formatPast(kept))
                    ? Optional.of(kept)
                    : Optional.empty();
        });
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
