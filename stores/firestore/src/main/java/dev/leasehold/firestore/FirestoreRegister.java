package dev.leasehold.firestore;

import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.ConnectedRegister;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Versioned values in Firestore: one document each, whose time of update is the version. Safe for use by many
 * threads.
 */
final class FirestoreRegister implements ConnectedRegister {
    private static final char KIND = 'k';
    private static final String TEXT = "text";

    /** A random text in each write: a write that changes nothing would keep the time of update. */
    private static final String CHANGE = "change";

    private final FirestoreClient client;

    FirestoreRegister(FirestoreClient client) {
        this.client = client;
    }

    @Override
    public Reading read(String key) {
        CasRegister.requireStoredKey(key);
        FirestoreClient.Found found = client.get(DocumentIds.encode(KIND, key));
        if (found.version().isEmpty()) {
            return Reading.absent(found.at());
        }
        String text = found.text(TEXT);
        if (text == null) {
            throw new StoreCorruptException("the document of the key '" + key + "' in " + client.address()
                    + " was not written by Leasehold; nothing was changed. Remove it, or choose another collection");
        }
        return new Reading(Optional.of(text), found.version(), found.at());
    }

    @Override
    public boolean compareAndSet(String key, String expected, String value) {
        CasRegister.requireStoredKey(key);
        CasRegister.requireValue(value);
        Map<String, String> texts =
                Map.of("key", key, TEXT, value, CHANGE, UUID.randomUUID().toString());
        return isVersion(expected)
                && client.change(Map.of("update", client.document(DocumentIds.encode(KIND, key), texts)), expected);
    }

    @Override
    public boolean remove(String key, String expected) {
        CasRegister.requireStoredKey(key);
        return !expected.equals(ABSENT)
                && isVersion(expected)
                && client.change(Map.of("delete", client.name(DocumentIds.encode(KIND, key))), expected);
    }

    /** Firestore refuses a text that is no time as a mistake in the request. */
    private static boolean isVersion(String expected) {
        if (expected.equals(ABSENT)) {
            return true;
        }
        try {
            return Instant.parse(expected) != null;
        } catch (DateTimeException e) {
            return false;
        }
    }

    @Override
    public List<String> keys(String prefix, String after, int limit) {
        return new ArrayList<>(versions(prefix, after, limit).keySet());
    }

    @Override
    public Map<String, String> versions(String prefix, String after, int limit) {
        Map<String, String> found = new LinkedHashMap<>();
        boolean behind = after.compareTo(prefix) >= 0 && !after.isEmpty();
        String from = DocumentIds.encode(KIND, behind ? after : prefix);
        for (FirestoreClient.Found each : client.list(from, !behind, DocumentIds.end(KIND, prefix), limit)) {
            found.put(DocumentIds.decode(each.id()), each.version());
        }
        return found;
    }

    @Override
    public Optional<String> atomicBecause() {
        return Optional.of("each change is one commit with a condition on its document");
    }

    @Override
    public void close() {
        client.close();
    }
}
