package dev.leasehold.aws;

import dev.leasehold.fence.ConditionalFence;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.internal.Sha256;
import dev.leasehold.model.FenceState;
import dev.leasehold.model.StoreUnavailableException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Content in S3 that a stale token cannot replace. Every write creates the next object of a series, and the
 * newest object is the content. A stale writer loses its own conditional create, so a write that is delayed
 * for long is judged when it arrives.
 *
 * <p>{@link #read} finds the content. Other programs find it as the first object under {@code target/} whose
 * metadata {@code leasehold-content} is its own number, or follow that number. Safe for use by many threads
 * and processes. It does not stop a program that writes objects under the same name.
 */
public final class S3Fence extends ConditionalFence<byte[]> {
    private static final int MOST_TRIES = 4;

    private final S3Client client;
    private final S3Series series;
    private final String target;

    private S3Fence(S3Client client, String target) {
        this.client = client;
        this.series = new S3Series(client, client.prefix() + target + "/");
        this.target = target;
    }

    /**
     * Guards the objects under one name. The fence does not close the client.
     *
     * @param target the name under the prefix of the client, such as {@code reports/daily.csv}
     */
    public static S3Fence at(S3Client client, String target) {
        if (target.isEmpty() || target.startsWith("/") || target.endsWith("/") || target.length() > 700) {
            throw new IllegalArgumentException(
                    "the guarded name is empty, too long, or starts or ends with a slash: name it as in reports/daily.csv");
        }
        for (int i = 0; i < target.length(); i++) {
            char c = target.charAt(i);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!plain && "._-/=".indexOf(c) < 0) {
                throw new IllegalArgumentException("the guarded name has the character at position " + (i + 1)
                        + ": allowed are A-Z a-z 0-9 . _ - / =");
            }
        }
        return new S3Fence(client, target);
    }

    /** The highest object, and the number of the object that has the content. */
    private record Version(S3Series.Top top, long content) {}

    @Override
    protected Seen look() {
        for (int tries = 1; tries <= MOST_TRIES; tries++) {
            S3Series.Top top = series.top();
            if (top.number() == 0) {
                return new Seen(null, new Version(top, 0));
            }
            S3Client.Content found = client.head(series.name(top.number()));
            if (found != null) {
                S3FenceObject object = S3FenceObject.of(target(), found.metadata());
                return new Seen(object.state(), new Version(top, object.content()));
            }
        }
        throw new StoreUnavailableException("the newest object changed again and again");
    }

    @Override
    protected boolean replace(Seen seen, FenceState after, byte @Nullable [] write) {
        Version before = (Version) seen.version();
        long next = before.top().number() + 1;
        long content = write == null ? before.content() : next;
        byte[] body = write == null ? new byte[0] : write;
        if (!series.append(before.top(), body, new S3FenceObject(after, content).metadata())) {
            return false;
        }
        series.deleteOldSometimes(next, content);
        return true;
    }

    /**
     * The content; empty if nothing was written yet.
     *
     * @throws TargetUnavailableException if it cannot be read
     */
    public Optional<byte[]> read() {
        try {
            for (int tries = 1; tries <= MOST_TRIES; tries++) {
                long number = ((Version) look().version()).content();
                S3Client.Content found = number == 0 ? null : client.get(series.name(number));
                if (number == 0 || found != null) {
                    return Optional.ofNullable(found).map(S3Client.Content::body);
                }
            }
        } catch (StoreUnavailableException e) {
            throw new TargetUnavailableException(target() + " cannot be read: " + e.getMessage(), e);
        }
        throw new TargetUnavailableException(target() + " cannot be read: its newest content is missing");
    }

    @Override
    protected String digest(byte[] write) {
        return Sha256.hex(write);
    }

    @Override
    protected String target() {
        return target + " in bucket '" + client.bucket() + "'";
    }
}
