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

    /** How many values there are in one answer at most, because a value may be large. */
    private static final int MOST_VALUES = 200;

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
        return found.version().isEmpty() ? Reading.absent(found.at()) : reading(key, found);
    }

    private Reading reading(String key, FirestoreClient.Found found) {
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
        page(prefix, after, limit, FirestoreClient.NAME).forEach((key, document) -> found.put(key, document.version()));
        return found;
    }

    @Override
    public Map<String, Reading> readings(String prefix, String after, int limit) {
        Map<String, Reading> found = new LinkedHashMap<>();
        String last = after;
        boolean more = true;
        while (more && found.size() < limit) {
            int asked = Math.min(MOST_VALUES, limit - found.size());
            Map<String, FirestoreClient.Found> page = page(prefix, last, asked, TEXT);
            for (Map.Entry<String, FirestoreClient.Found> entry : page.entrySet()) {
                last = entry.getKey();
                found.put(last, reading(last, entry.getValue()));
            }
            more = page.size() == asked;
        }
        return found;
    }

    private Map<String, FirestoreClient.Found> page(String prefix, String after, int limit, String field) {
        Map<String, FirestoreClient.Found> found = new LinkedHashMap<>();
        boolean behind = after.compareTo(prefix) >= 0 && !after.isEmpty();
        String from = DocumentIds.encode(KIND, behind ? after : prefix);
        for (FirestoreClient.Found each : client.list(from, !behind, DocumentIds.end(KIND, prefix), limit, field)) {
            found.put(DocumentIds.decode(each.id()), each);
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
