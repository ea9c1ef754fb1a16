package dev.leasehold.durableobjects;

import dev.leasehold.fence.ConditionalFence;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.internal.FenceText;
import dev.leasehold.internal.Fields;
import dev.leasehold.internal.Sha256;
import dev.leasehold.model.FenceState;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A text in a Durable Object that a stale token cannot replace. Text and fence are one value, which the
 * object replaces only if it is unchanged, so a write that is delayed is judged when it arrives.
 *
 * <p>A text has up to two million characters. Safe for use by many threads and processes.
 */
public final class DurableObjectsFence extends ConditionalFence<String> {
    private static final String PREFIX = "f";
    private static final String HEADER = "leasehold fence 1";
    private static final int MOST_TARGET = 400;
    private static final int MOST_CONTENT = 1_990_000;

    private final DurableObjectsClient client;
    private final String target;

    private DurableObjectsFence(DurableObjectsClient client, String target) {
        this.client = client;
        this.target = target;
    }

    /** Guards one text, under a name of your choice. The fence does not close the client. */
    public static DurableObjectsFence at(DurableObjectsClient client, String target) {
        if (target.isEmpty() || target.length() > MOST_TARGET) {
            throw new IllegalArgumentException("the name of the guarded text has 1 to " + MOST_TARGET + " characters");
        }
        return new DurableObjectsFence(client, target);
    }

    /** @param content null if nothing was written yet */
    private record Guarded(String version, @Nullable String content) {}

    @Override
    protected Seen look() {
        DurableObjectsClient.Found found = client.read(PREFIX + target);
        String value = found.value();
        if (value == null) {
            return new Seen(null, new Guarded("", null));
        }
        // The first part is the state, whose lines never have this character. The content follows it.
        int end = value.indexOf('\u0000');
        try {
            FenceState state = FenceText.read(Fields.parse(HEADER, end < 0 ? value : value.substring(0, end)));
            return new Seen(state, new Guarded(found.version(), end < 0 ? null : value.substring(end + 1)));
        } catch (IllegalArgumentException e) {
            throw new StoreCorruptException("it was not written through the fence", e);
        }
    }

    @Override
    protected boolean replace(Seen seen, FenceState after, @Nullable String write) {
        if (write != null && write.length() > MOST_CONTENT) {
            throw new IllegalArgumentException("a guarded text has at most " + MOST_CONTENT + " characters");
        }
        Guarded before = (Guarded) seen.version();
        String content = write == null ? before.content() : write;
        String state = FenceText.write(HEADER, after).format();
        return client.replace(PREFIX + target, before.version(), content == null ? state : state + '\u0000' + content);
    }

    /**
     * The text; empty if nothing was written yet.
     *
     * @throws TargetUnavailableException if it cannot be read
     */
    public Optional<String> read() {
        try {
            return Optional.ofNullable(((Guarded) look().version()).content());
        } catch (StoreUnavailableException | StoreCorruptException e) {
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
