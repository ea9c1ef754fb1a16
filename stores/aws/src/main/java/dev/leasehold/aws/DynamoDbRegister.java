package dev.leasehold.aws;

import dev.leasehold.internal.http.HttpService.Repeat;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.ClocklessRegister;
import dev.leasehold.spi.ConnectedRegister;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * Versioned values in DynamoDB. Every change is one conditional write. A version is a random number, so it
 * never comes back. DynamoDB has no clock to ask. Safe for use by many threads.
 */
final class DynamoDbRegister implements ClocklessRegister, ConnectedRegister {
    private static final String VERSION = "v";
    private static final String TEXT = "t";
    private static final String UNCHANGED = VERSION + " = :expected";
    private static final String NEW = "attribute_not_exists(" + DynamoDbClient.KEY + ")";

    private final DynamoDbClient client;
    private final String space;

    DynamoDbRegister(DynamoDbClient client) {
        this.client = client;
        this.space = client.namespace();
    }

    @Override
    public Reading read(String key) {
        CasRegister.requireStoredKey(key);
        return reading(client.get(space, key));
    }

    private static Reading reading(Map<?, ?> item) {
        Instant at = Instant.ofEpochMilli(System.currentTimeMillis());
        String version = DynamoDbClient.text(item, VERSION);
        return version == null
                ? Reading.absent(at)
                : new Reading(Optional.ofNullable(DynamoDbClient.text(item, TEXT)), version, at);
    }

    @Override
    public boolean compareAndSet(String key, String expected, String value) {
        return replace(key, expected, value).isPresent();
    }

    @Override
    public Optional<String> replace(String key, String expected, String value) {
        CasRegister.requireStoredKey(key);
        CasRegister.requireValue(value);
        String version = UUID.randomUUID().toString().replace("-", "");
        Map<String, Object> item = new HashMap<>(client.key(space, key));
        item.put(VERSION, DynamoDbClient.string(version));
        item.put(TEXT, DynamoDbClient.string(value));
        return client.change("PutItem", conditional(Map.of("Item", item), expected))
                ? Optional.of(version)
                : Optional.empty();
    }

    @Override
    public boolean remove(String key, String expected) {
        CasRegister.requireStoredKey(key);
        return !expected.equals(ABSENT)
                && client.change("DeleteItem", conditional(Map.of("Key", client.key(space, key)), expected));
    }

    private static Map<String, Object> conditional(Map<String, Object> request, String expected) {
        Map<String, Object> whole = new HashMap<>(request);
        whole.put("ConditionExpression", expected.equals(ABSENT) ? NEW : UNCHANGED);
        if (!expected.equals(ABSENT)) {
            whole.put("ExpressionAttributeValues", Map.of(":expected", DynamoDbClient.string(expected)));
        }
        return whole;
    }

    @Override
    public List<String> keys(String prefix, String after, int limit) {
        return new ArrayList<>(versions(prefix, after, limit).keySet());
    }

    @Override
    public Map<String, String> versions(String prefix, String after, int limit) {
        return page(
                prefix,
                after,
                limit,
                DynamoDbClient.KEY + ", " + VERSION,
                item -> String.valueOf(DynamoDbClient.text(item, VERSION)));
    }

    @Override
    public Map<String, Reading> readings(String prefix, String after, int limit) {
        return page(prefix, after, limit, DynamoDbClient.KEY + ", " + VERSION + ", " + TEXT, DynamoDbRegister::reading);
    }

    /** DynamoDB limits the size of a page. */
    private <T> Map<String, T> page(
            String prefix, String after, int limit, String attributes, Function<Map<?, ?>, T> content) {
        Map<String, T> found = new LinkedHashMap<>();
        if (after.compareTo(prefix) > 0 && !after.startsWith(prefix)) {
            return found;
        }
        // DynamoDB refuses to start outside of the range.
        String last = after.startsWith(prefix) ? after : "";
        boolean more = true;
        while (more && found.size() < limit) {
            Map<?, ?> page =
                    client.succeed("Query", query(prefix, last, limit - found.size(), attributes), Repeat.SAFE);
            for (Object each : page.get("Items") instanceof List<?> items ? items : List.of()) {
                if (each instanceof Map<?, ?> item) {
                    last = String.valueOf(DynamoDbClient.text(item, DynamoDbClient.KEY));
                    found.put(last, content.apply(item));
                }
            }
            more = page.get("LastEvaluatedKey") instanceof Map<?, ?> key
                    && DynamoDbClient.text(key, DynamoDbClient.KEY) != null;
        }
        return found;
    }

    private Map<String, Object> query(String prefix, String last, int limit, String attributes) {
        Map<String, Object> values = new HashMap<>(Map.of(":space", DynamoDbClient.string(space)));
        String range = DynamoDbClient.SPACE + " = :space";
        if (!prefix.isEmpty()) {
            values.put(":prefix", DynamoDbClient.string(prefix));
            range += " AND begins_with(" + DynamoDbClient.KEY + ", :prefix)";
        }
        Map<String, Object> query = new HashMap<>(Map.of(
                "KeyConditionExpression",
                range,
                "ExpressionAttributeValues",
                values,
                "ProjectionExpression",
                attributes,
                "ConsistentRead",
                true,
                "Limit",
                limit));
        if (!last.isEmpty()) {
            query.put("ExclusiveStartKey", client.key(space, last));
        }
        return query;
    }

    @Override
    public Optional<String> atomicBecause() {
        return Optional.of("each change is one conditional write of one item");
    }

    @Override
    public void close() {
        client.close();
    }
}
