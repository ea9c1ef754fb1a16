package dev.leasehold.firestore;

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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A text in Firestore that a stale token cannot replace. Text and fence are one document, and every write has
 * the condition that the document is unchanged, so a write that is delayed is judged when it arrives.
 *
 * <p>A text has up to 900,000 bytes. Safe for use by many threads and processes. It does not stop a program
 * that writes the document without asking the fence.
 */
public final class FirestoreFence extends ConditionalFence<String> {
    private static final String HEADER = "leasehold fence 1";
    private static final int MOST_TARGET = 400;
    private static final int MOST_BYTES = 900_000;

    private final FirestoreClient client;
    private final String target;
    private final String id;

    private FirestoreFence(FirestoreClient client, String target) {
        this.client = client;
        this.target = target;
        this.id = DocumentIds.encode('f', target);
    }

    /** Guards one text, under a name of your choice. The fence does not close the client. */
    public static FirestoreFence at(FirestoreClient client, String target) {
        if (target.isEmpty() || target.getBytes(StandardCharsets.UTF_8).length > MOST_TARGET) {
            throw new IllegalArgumentException("the name of the guarded text has 1 to " + MOST_TARGET + " bytes");
        }
        return new FirestoreFence(client, target);
    }

    @Override
    protected Seen look() {
        FirestoreClient.Found found = client.get(id);
        String state = found.text("fence");
        if (found.version().isEmpty()) {
            return new Seen(null, "");
        }
        try {
            return new Seen(FenceText.read(Fields.parse(HEADER, state == null ? "" : state)), found.version());
        } catch (IllegalArgumentException e) {
            throw new StoreCorruptException("it was not written through the fence", e);
        }
    }

    @Override
    protected boolean replace(Seen seen, FenceState after, @Nullable String write) {
        Map<String, String> texts = new HashMap<>();
        texts.put("target", target);
        texts.put("fence", FenceText.write(HEADER, after).format());
        // A write that changes nothing would keep the time of update.
        texts.put("change", UUID.randomUUID().toString());
        if (write != null) {
            if (write.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES) {
                throw new IllegalArgumentException("a guarded text has at most " + MOST_BYTES + " bytes");
            }
            texts.put("content", write);
        }
        return client.change(
                Map.of(
                        "update",
                        client.document(id, texts),
                        "updateMask",
                        Map.of("fieldPaths", List.copyOf(texts.keySet()))),
                (String) seen.version());
    }

    /**
     * The text; empty if nothing was written yet.
     *
     * @throws TargetUnavailableException if it cannot be read
     */
    public Optional<String> read() {
        try {
            return Optional.ofNullable(client.get(id).text("content"));
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
        return "the text '" + target + "' in " + client.address();
    }
}
