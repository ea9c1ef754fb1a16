package dev.leasehold.etcd;

import dev.leasehold.internal.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A write of one or several keys in etcd, which takes effect as a whole or not at all. */
public final class EtcdWrite {
    /** With null for a key that is removed. Sorted, so that the same changes are recognized as the same write. */
    private final Map<String, @Nullable String> changes;

    private EtcdWrite(Map<String, @Nullable String> changes) {
        this.changes = changes;
    }

    /** Sets one key. */
    public static EtcdWrite put(String key, String value) {
        return new EtcdWrite(new TreeMap<>()).andPut(key, value);
    }

    /** Removes one key. */
    public static EtcdWrite delete(String key) {
        return new EtcdWrite(new TreeMap<>()).andDelete(key);
    }

    /** The same, and sets another key in the same step. */
    public EtcdWrite andPut(String key, String value) {
        return with(key, value);
    }

    /** The same, and removes another key in the same step. */
    public EtcdWrite andDelete(String key) {
        return with(key, null);
    }

    private EtcdWrite with(String key, @Nullable String value) {
        if (key.isEmpty()) {
            throw new IllegalArgumentException("the key to write is empty: name one");
        }
        Map<String, @Nullable String> more = new TreeMap<>(changes);
        more.put(key, value);
        return new EtcdWrite(more);
    }

    List<Map<String, Object>> operations() {
        List<Map<String, Object>> operations = new ArrayList<>();
        changes.forEach((key, value) ->
                operations.add(value == null ? EtcdMessages.delete(key) : EtcdMessages.put(key, value)));
        return operations;
    }

    boolean changes(String key) {
        return changes.containsKey(key);
    }

    /** Equal only for equal writes: it includes lengths, so that keys cannot be confused with their values. */
    String digest() {
        StringBuilder text = new StringBuilder();
        changes.forEach((key, value) -> text.append(key.length())
                .append(' ')
                .append(key)
                .append(value == null ? "-" : value.length() + " " + value));
        return Sha256.hex(text.toString().getBytes(StandardCharsets.UTF_8));
    }
}
