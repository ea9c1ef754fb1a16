package dev.leasehold.durableobjects;

import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.ConnectedRegister;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Versioned values in one Durable Object. Safe for use by many threads. */
final class DurableObjectsRegister implements ConnectedRegister {
    private static final String PREFIX = "k";

    private final DurableObjectsClient client;

    DurableObjectsRegister(DurableObjectsClient client) {
        this.client = client;
    }

    @Override
    public Reading read(String key) {
        CasRegister.requireStoredKey(key);
        return reading(client.read(PREFIX + key));
    }

    private static Reading reading(DurableObjectsClient.Found found) {
        return new Reading(Optional.ofNullable(found.value()), found.version(), found.at());
    }

    @Override
    public boolean compareAndSet(String key, String expected, String value) {
        CasRegister.requireStoredKey(key);
        CasRegister.requireValue(value);
        return client.replace(PREFIX + key, expected, value);
    }

    @Override
    public boolean remove(String key, String expected) {
        CasRegister.requireStoredKey(key);
        return !expected.equals(ABSENT) && client.replace(PREFIX + key, expected, null);
    }

    @Override
    public List<String> keys(String prefix, String after, int limit) {
        return new ArrayList<>(versions(prefix, after, limit).keySet());
    }

    @Override
    public Map<String, String> versions(String prefix, String after, int limit) {
        Map<String, String> versions = new LinkedHashMap<>();
        page(prefix, after, limit, false).forEach((key, found) -> versions.put(key, found.version()));
        return versions;
    }

    @Override
    public Map<String, Reading> readings(String prefix, String after, int limit) {
        Map<String, DurableObjectsClient.Found> page = page(prefix, after, limit, true);
        if (page.values().stream().anyMatch(found -> found.value() == null)) {
            // The Worker is older than this client.
            return ConnectedRegister.super.readings(prefix, after, limit);
        }
        Map<String, Reading> readings = new LinkedHashMap<>();
        page.forEach((key, found) -> readings.put(key, reading(found)));
        return readings;
    }

    /** The Worker limits the size of a page. */
    private Map<String, DurableObjectsClient.Found> page(String prefix, String after, int limit, boolean withValues) {
        Map<String, DurableObjectsClient.Found> found = new LinkedHashMap<>();
        String last = after;
        while (found.size() < limit) {
            Map<String, DurableObjectsClient.Found> page =
                    client.list(PREFIX + prefix, PREFIX + last, limit - found.size(), withValues);
            for (Map.Entry<String, DurableObjectsClient.Found> entry : page.entrySet()) {
                last = entry.getKey().substring(PREFIX.length());
                found.put(last, entry.getValue());
            }
            if (page.isEmpty()) {
                break;
            }
        }
        return found;
    }

    @Override
    public Optional<String> atomicBecause() {
        return Optional.of("a Durable Object handles one call at a time, and each change is one call");
    }

    @Override
    public void close() {
        client.close();
    }
}
