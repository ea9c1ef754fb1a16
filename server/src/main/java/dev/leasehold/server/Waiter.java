package dev.leasehold.server;

import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A client that asks for a lease.
 *
 * @param stillAllowed throws a {@link BadRequestException} if its key was revoked meanwhile
 * @param connection by which the server notices that the client hangs up; null if it cannot
 */
record Waiter(
        LeaseName name,
        AttemptId attempt,
        Holder holder,
        Duration ttl,
        Reply reply,
        Runnable stillAllowed,
        @Nullable SocketChannel connection) {
    /** Two requests are two waiters, even if one repeats the other. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
