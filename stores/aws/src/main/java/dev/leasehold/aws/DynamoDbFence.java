package dev.leasehold.aws;

import dev.leasehold.fence.ConditionalFence;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.internal.FenceText;
import dev.leasehold.internal.Fields;
import dev.leasehold.internal.Sha256;
import dev.leasehold.model.FenceState;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A text in DynamoDB that a stale token cannot replace. Text and fence are one item, and every write has the
 * condition that the item is unchanged, so a write that is delayed is judged when it arrives.
 *
 * <p>A text has up to 390,000 bytes, because an item has up to 400 kB. Safe for use by many threads and
 * processes. It does not stop a program that writes the item without asking the fence.
 */
public final class DynamoDbFence extends ConditionalFence<String> {
    private static final String HEADER = "leasehold fence 1";
    private static final int MOST_TARGET = 400;
    private static final int MOST_BYTES = 390_000;
    private static final String UNCHANGED = "v = :expected";
    private static final String NEW = "attribute_not_exists(" + DynamoDbClient.KEY + ")";

    private final DynamoDbClient client;
    private final String space;
    private final String target;

    private DynamoDbFence(DynamoDbClient client, String target) {
        this.client = client;
        this.space = client.namespace() + "#fences";
        this.target = target;
    }

    /** Guards one text, under a name of your choice. The fence does not close the client. */
    public static DynamoDbFence at(DynamoDbClient client, String target) {
        if (target.isEmpty() || target.length() > MOST_TARGET) {
            throw new IllegalArgumentException("the name of the guarded text has 1 to " + MOST_TARGET + " characters");
        }
        return new DynamoDbFence(client, target);
    }

    /** @param version null if there is no item yet */
    private record Item(@Nullable String version) {}

    @Override
    protected Seen look() {
        Map<?, ?> item = client.get(space, target);
        String state = DynamoDbClient.text(item, "s");
        if (state == null) {
            return new Seen(null, new Item(null));
        }
        try {
            return new Seen(FenceText.read(Fields.parse(HEADER, state)), new Item(DynamoDbClient.text(item, "v")));
        } catch (IllegalArgumentException e) {
            throw new StoreCorruptException("it was not written through the fence", e);
        }
    }

    @Override
    protected boolean replace(Seen seen, FenceState after, @Nullable String write) {
        String expected = ((Item) seen.version()).version();
        Map<String, Object> values = new HashMap<>();
        values.put(
                ":state", DynamoDbClient.string(FenceText.write(HEADER, after).format()));
        values.put(":version", DynamoDbClient.string(UUID.randomUUID().toString()));
        if (write != null) {
            requireFits(write);
            values.put(":content", DynamoDbClient.string(write));
        }
        if (expected != null) {
            values.put(":expected", DynamoDbClient.string(expected));
        }
        return client.change(
                "UpdateItem",
                Map.of(
                        "Key",
                        client.key(space, target),
                        "UpdateExpression",
                        "SET s = :state, v = :version" + (write == null ? "" : ", c = :content"),
                        "ConditionExpression",
                        expected == null ? NEW : UNCHANGED,
                        "ExpressionAttributeValues",
                        values));
    }

    private static void requireFits(String write) {
        if (write.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES) {
            throw new IllegalArgumentException("a guarded text has at most " + MOST_BYTES + " bytes");
        }
    }

    /**
     * The text; empty if nothing was written yet.
     *
     * @throws TargetUnavailableException if it cannot be read
     */
    public Optional<String> read() {
        try {
            return Optional.ofNullable(DynamoDbClient.text(client.get(space, target), "c"));
        } catch (StoreUnavailableException e) {
            throw new TargetUnavailableException(target() + " cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    protected String digest(String write) {
        return Sha256.hex(write.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    protected String target() {
        return "the text '" + target + "' in table '" + client.table() + "'";
    }
}
