package dev.leasehold.etcd;

import dev.leasehold.model.StoreUnavailableException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The messages of etcd's gateway. Keys and values are encoded in base 64, and numbers are strings. An answer leaves out
 * fields that are empty, zero or false.
 */
final class EtcdMessages {
    private EtcdMessages() {}

    /** Reads one key. */
    static Map<String, Object> range(String key) {
        return Map.of("key", encoded(key));
    }

    /**
     * Lists keys in order.
     *
     * @param keysOnly whether to leave out their values
     */
    static Map<String, Object> page(String root, String prefix, String after, int limit, boolean keysOnly) {
        String first = after.compareTo(prefix) < 0 ? root + prefix : root + after + "\0";
        return Map.of(
                "key",
                encoded(first),
                "range_end",
                encoded(endOf(root + prefix)),
                "limit",
                Integer.toString(limit),
                "keys_only",
                keysOnly);
    }

    /** The first text after all those that start with the prefix. The last character of a prefix is ASCII. */
    private static String endOf(String prefix) {
        int last = prefix.length() - 1;
        return prefix.substring(0, last) + (char) (prefix.charAt(last) + 1);
    }

    /** Holds if the key was last changed at this revision; with zero, if it does not exist. */
    static Map<String, Object> unchanged(String key, long revision) {
        return Map.of("key", encoded(key), "target", "MOD", "result", "EQUAL", "mod_revision", Long.toString(revision));
    }

    static Map<String, Object> put(String key, String value) {
        return Map.of("request_put", putAlone(key, value));
    }

    /** Without a transaction around it. */
    static Map<String, Object> putAlone(String key, String value) {
        return Map.of("key", encoded(key), "value", encoded(value));
    }

    static Map<String, Object> delete(String key) {
        return Map.of("request_delete_range", Map.of("key", encoded(key)));
    }

    static Map<String, Object> transaction(Map<String, Object> condition, List<Map<String, Object>> operations) {
        return Map.of("compare", List.of(condition), "success", operations);
    }

    /** Transactions with conditions of their own, in one step. */
    static Map<String, Object> transactions(List<Map<String, Object>> all) {
        List<Map<String, Object>> operations = new ArrayList<>(all.size());
        all.forEach(each -> operations.add(Map.of("request_txn", each)));
        return Map.of("success", operations);
    }

    /** The revision that the transaction made; empty if its condition did not hold. */
    static Optional<String> revision(Map<String, @Nullable Object> answer) {
        return hasSucceeded(answer) ? Optional.of(headRevision(answer)) : Optional.empty();
    }

    /** The same for each of several transactions in one step, which have the same revision. */
    static List<Optional<String>> revisions(Map<String, @Nullable Object> answer, int count) {
        if (!(answer.get("responses") instanceof List<?> responses) || responses.size() != count) {
            throw unreadable(null);
        }
        String revision = headRevision(answer);
        List<Optional<String>> revisions = new ArrayList<>(count);
        for (Object response : responses) {
            if (!(response instanceof Map<?, ?> part && part.get("response_txn") instanceof Map<?, ?> transaction)) {
                throw unreadable(null);
            }
            revisions.add(hasSucceeded(transaction) ? Optional.of(revision) : Optional.empty());
        }
        return revisions;
    }

    private static boolean hasSucceeded(Map<?, ?> transaction) {
        return Boolean.TRUE.equals(transaction.get("succeeded"));
    }

    private static String headRevision(Map<String, @Nullable Object> answer) {
        if (answer.get("header") instanceof Map<?, ?> header && header.get("revision") != null) {
            return String.valueOf(header.get("revision"));
        }
        throw unreadable(null);
    }

    /** The keys in the answer to a range. */
    static List<EtcdKey> keys(Map<String, @Nullable Object> answer) {
        List<EtcdKey> keys = new ArrayList<>();
        if (answer.get("kvs") instanceof List<?> all) {
            for (Object one : all) {
                keys.add(key(one));
            }
        }
        return keys;
    }

    private static EtcdKey key(@Nullable Object part) {
        try {
            if (part instanceof Map<?, ?> key) {
                return new EtcdKey(
                        decoded(key.get("key")),
                        decoded(key.get("value")),
                        Long.parseLong(String.valueOf(key.get("mod_revision"))));
            }
        } catch (IllegalArgumentException e) {
            throw unreadable(e);
        }
        throw unreadable(null);
    }

    private static StoreUnavailableException unreadable(@Nullable Exception cause) {
        String message = "the answer of etcd cannot be read: it is another program, or another version of etcd";
        return cause == null ? new StoreUnavailableException(message) : new StoreUnavailableException(message, cause);
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String decoded(@Nullable Object text) {
        return text == null ? "" : new String(Base64.getDecoder().decode(text.toString()), StandardCharsets.UTF_8);
    }
}
