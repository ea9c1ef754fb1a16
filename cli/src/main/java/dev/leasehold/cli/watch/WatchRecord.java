package dev.leasehold.cli.watch;

import dev.leasehold.events.EventPosition;
import dev.leasehold.internal.Fields;
import dev.leasehold.internal.Sha256;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.spi.CasRegister;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a watch has told, in the store, so that the next one does not tell it again. Changed by
 * compare-and-set: a watch that was replaced cannot write.
 */
final class WatchRecord {
    private static final String HEADER = "leasehold watch 1";
    private static final String POSITION = "position";
    private static final String TOLD = "told";
    /** More fit into a record of the register. */
    private static final int MOST_TOLD = 4000;

    private static final int DIGITS = 12;

    private final CasRegister register;
    private final String key;
    private String version;
    private @Nullable EventPosition position;
    /** The ids of what was told after the position, and of conditions that still hold. */
    private final Set<String> told = new LinkedHashSet<>();

    WatchRecord(CasRegister register, LeaseName watch) {
        this.register = register;
        this.key = "watch/" + watch;
        CasRegister.Reading reading = register.read(key);
        this.version = reading.version();
        try {
            reading.value().map(text -> Fields.parse(HEADER, text)).ifPresent(fields -> {
                position = fields.optional(POSITION, EventPosition::parse);
                told.addAll(fields.all(TOLD));
            });
        } catch (IllegalArgumentException e) {
            throw new StoreCorruptException(
                    "what " + watch + " has told cannot be read: " + e.getMessage() + ". Use another --id", e);
        }
    }

    /** Everything before this was told; null if this watch is new. */
    @Nullable
    EventPosition position() {
        return position;
    }

    boolean wasTold(String id) {
        return told.contains(digest(id));
    }

    /** Whether so much is wrong that no more can be remembered, and so must not be told. */
    boolean isFull() {
        return told.size() >= MOST_TOLD;
    }

    /** False if another watch has taken over. */
    boolean tell(String id) {
        told.add(digest(id));
        return save();
    }

    /** Ids are long, and there may be thousands. */
    private static String digest(String id) {
        return Sha256.hex(id.getBytes(StandardCharsets.UTF_8)).substring(0, DIGITS);
    }

    /**
     * False if another watch has taken over.
     *
     * @param still the ids of the conditions that still hold
     */
    boolean moveTo(EventPosition reached, Set<String> still) {
        position = reached;
        Set<String> digests = new HashSet<>();
        still.forEach(id -> digests.add(digest(id)));
        told.retainAll(digests);
        return save();
    }

    private boolean save() {
        Fields fields = new Fields(HEADER).put(POSITION, position);
        told.forEach(id -> fields.put(TOLD, id));
        String text = fields.format();
        if (!register.compareAndSet(key, version, text)) {
            return false;
        }
        CasRegister.Reading reading = register.read(key);
        if (!reading.value().filter(text::equals).isPresent()) {
            // Another watch took over since: with its version, this one would overwrite what it has told.
            return false;
        }
        version = reading.version();
        return true;
    }
}
