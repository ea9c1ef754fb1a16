package dev.leasehold.firestore;

import dev.leasehold.fence.ConditionalFence;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.internal.FenceText;
import dev.leasehold.internal.Fields;
import dev.leasehold.internal.Sha256;
import dev.leasehold.model.Admission;
import dev.leasehold.model.FenceDecision;
import dev.leasehold.model.FenceState;
import dev.leasehold.model.Grant;
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
 * <p>A commit of your own, of any documents of the database, is guarded if it contains {@link #condition}.
 *
 * <p>A text has up to 900,000 bytes. Safe for use by many threads and processes. It does not stop a program
 * that writes the document without asking the fence.
 */
public final class FirestoreFence extends ConditionalFence<String> {
    private static final String HEADER = "leasehold fence 1";
    private static final int MOST_TARGET = 400;
    private static final int MOST_BYTES = 900_000;
    private static final String STATE = "fence";
    /** No document was updated then. */
    private static final String NEVER = "1970-01-01T00:00:00Z";

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
        String state = found.text(STATE);
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
        texts.put(STATE, text(after));
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
     * What a commit of the caller must contain, so that it takes effect only while the grant is not stale: an update of
     * {@code document} that sets its field {@code fence} to {@code value}, with {@code updateTime} as its precondition.
     *
     * <p>This is the value that the field has, so the update changes nothing, and one condition serves for any number of
     * commits. If the precondition fails, nothing was written: ask for the condition again.
     *
     * @param admission {@link Admission.Admitted}; otherwise the grant is refused, and the precondition never holds
     * @param document the path of the document in the database
     */
    public record Condition(Admission admission, String document, String updateTime, String value) {}

    /** Raises the fence, and returns what the commits of the caller must contain. Call it before the first read. */
    public Condition condition(Grant grant) {
        Admission raised = raise(grant);
        if (!(raised instanceof Admission.Admitted)) {
            return new Condition(raised, path(), NEVER, "");
        }
        Seen seen = seen();
        FenceState state = seen.state();
        if (state == null) {
            throw new TargetUnavailableException(
                    "the fence of " + target() + " was removed while it was raised; nothing"
                            + " was written. Only Leasehold may write its documents");
        }
        FenceDecision decision = state.judge(grant, target(), null);
        return decision instanceof FenceDecision.Admit
                ? new Condition(decision.answer(), path(), (String) seen.version(), text(state))
                : new Condition(decision.answer(), path(), NEVER, "");
    }

    private String path() {
        return client.address().collection() + "/" + id;
    }

    private Seen seen() {
        try {
            return look();
        } catch (StoreUnavailableException | StoreCorruptException e) {
            throw new TargetUnavailableException("the fence of " + target() + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static String text(FenceState state) {
        return FenceText.write(HEADER, state).format();
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
