package dev.leasehold.redis;

import dev.leasehold.internal.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A write to a guarded key: a whole string, or some fields of a hash. */
public final class RedisWrite {
    private final String kind;
    private final List<byte[]> values;

    private RedisWrite(String kind, List<byte[]> values) {
        this.kind = kind;
        this.values = values;
    }

    /** Replaces the whole value, whatever it was, and removes its expiry. */
    public static RedisWrite string(byte[] value) {
        return new RedisWrite("string", List.of(value.clone()));
    }

    public static RedisWrite string(String value) {
        return string(value.getBytes(StandardCharsets.UTF_8));
    }

    /** Sets these fields of a hash and leaves its other fields unchanged. */
    public static RedisWrite fields(Map<String, String> fields) {
        if (fields.isEmpty()) {
            throw new IllegalArgumentException("there is no field to write: name at least one");
        }
        List<byte[]> values = new ArrayList<>();
        // Sorted, so that the same fields are recognized as the same write.
        new TreeMap<>(fields).forEach((name, value) -> {
            values.add(name.getBytes(StandardCharsets.UTF_8));
            values.add(value.getBytes(StandardCharsets.UTF_8));
        });
        return new RedisWrite("fields", values);
    }

    String kind() {
        return kind;
    }

    List<byte[]> values() {
        return values;
    }

    /**
     * Equal only for equal writes: it includes lengths, so that fields cannot be confused with
     * their values.
     */
    String digest() {
        MessageDigest sha = Sha256.digest();
        sha.update(Resp.bytes(kind));
        for (byte[] value : values) {
            sha.update(Resp.bytes(" " + value.length + " "));
            sha.update(value);
        }
        return HexFormat.of().formatHex(sha.digest());
    }
}
