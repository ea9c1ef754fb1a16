package dev.leasehold.redis;

import dev.leasehold.fuzz.FuzzTarget;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.WrongFenceException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Redis addresses, and script answers. A {@code |} separates the parts of a reply; an empty part is
 * nil.
 */
public final class RedisFuzzTargets {
    private static final LeaseName NAME = LeaseName.of("nightly");
    private static final Grant GRANT =
            new Grant(NAME, FencingToken.of(42), AttemptId.of("attempt-0001"), StoreId.of("store-0001"));
    private static final RedisFailures FAILURES =
            new RedisFailures(RedisAddress.parse("redis://localhost"), () -> null);
    private static final String TRANSFER = transfer("attempt-0001 expired 10 host-1-abcwhy not");

    private RedisFuzzTargets() {}

    public static List<FuzzTarget> all() {
        return List.of(
                FuzzTarget.of(
                        "Redis URL",
                        IllegalArgumentException.class,
                        RedisFuzzTargets::address,
                        "redis://localhost:6379/0",
                        "rediss://user:p%40ss@[::1]:6380/3?ns=a&timeout=2s&ca=/ca.pem"),
                FuzzTarget.of(
                        "Redis transfer",
                        StoreCorruptException.class,
                        text -> FAILURES.parsed(() -> RedisRecords.transfer(bytes(text))),
                        TRANSFER),
                FuzzTarget.of(
                        "Redis history",
                        StoreCorruptException.class,
                        text -> FAILURES.parsed(() -> RedisRecords.history(bytes(text), 100)),
                        "\0\0\0\4" + TRANSFER + TRANSFER),
                FuzzTarget.of(
                        "Redis loss",
                        StoreCorruptException.class,
                        text -> FAILURES.parsed(() -> RedisRecords.loss(reply(text), GRANT, () -> 0)),
                        "superseded|" + TRANSFER,
                        "lapsed|1700000000000000",
                        "released|1700000000000000",
                        "forgotten|twin"),
                FuzzTarget.of(
                        "Redis record",
                        StoreCorruptException.class,
                        text -> FAILURES.parsed(() -> RedisRecords.snapshot(NAME, reply(text), Instant.EPOCH)),
                        "\0".repeat(24) + "h\0" + TRANSFER + "|42|1700000000000000|half way|page=7"),
                FuzzTarget.of(
                        "Redis fence",
                        IllegalArgumentException.class,
                        RedisFuzzTargets::fence,
                        "admitted",
                        "refused|nightly|store-0001|43|attempt-0002||"));
    }

    private static void address(String text) {
        RedisAddress address = RedisAddress.parse(text);
        String shown = address.toString();
        FuzzTarget.requireSame(shown, RedisAddress.parse(shown).toString());
    }

    /**
     * Like {@link RedisFence}: a malformed reply is reported as damage. A fence of another lease is
     * rejected with its own exception.
     */
    private static void fence(String text) {
        try {
            RedisFenceScript.admission(GRANT, "key x in Redis", reply(text), "");
        } catch (WrongFenceException | IndexOutOfBoundsException e) {
            // The fence distinguishes the two.
        }
    }

    private static List<@Nullable Object> reply(String text) {
        List<@Nullable Object> parts = new ArrayList<>();
        for (String part : text.split("\\|", -1)) {
            parts.add(part.isEmpty() ? null : bytes(part));
        }
        return parts;
    }

    /** In the format of record.lua, one character per byte. */
    private static String transfer(String text) {
        byte[] bytes = ByteBuffer.allocate(20 + text.length())
                .putInt(20 + text.length())
                .putDouble(1_700_000_000_123_456.0)
                .putLong(GRANT.token().value())
                .put(bytes(text))
                .array();
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
