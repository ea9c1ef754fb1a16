package dev.leasehold.client;

import dev.leasehold.client.message.JsonMessages;
import dev.leasehold.client.message.ProblemAnswer;
import dev.leasehold.client.message.ProblemType;
import dev.leasehold.model.StoreUnavailableException;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** What a server answered. */
final class ServerReply {
    private final URI server;
    private final int status;
    private final byte[] body;
    private final @Nullable ProblemAnswer problem;

    ServerReply(URI server, int status, byte[] body) {
        this.server = server;
        this.status = status;
        this.body = body;
        this.problem = status < 400 ? null : problem(body);
    }

    /** Null if a proxy or another program answered. */
    private static @Nullable ProblemAnswer problem(byte[] body) {
        try {
            return JsonMessages.readAnswer(body, ProblemAnswer.class);
        } catch (JacksonException e) {
            return null;
        }
    }

    /** Whether the call did not succeed for this reason. */
    boolean is(ProblemType type) {
        return problem != null && problem.is(type);
    }

    /** The problem that the caller has just recognized. */
    ProblemAnswer problem() {
        if (problem == null) {
            throw unexpected(null);
        }
        return problem;
    }

    /** Whether this server has refused the call before it did anything. */
    boolean isUndone() {
        return is(ProblemType.STOPPING) || is(ProblemType.OVERLOADED);
    }

    /** Whether a proxy answered, because it got no answer or a broken one. */
    boolean isLost() {
        return status >= 500 && problem == null;
    }

    /**
     * The answer to a call that succeeded.
     *
     * @throws RuntimeException the one that a store throws, if the call did not succeed
     */
    <T> T as(Class<T> type) {
        if (problem != null) {
            throw problem.toException();
        }
        try {
            if (status == 200) {
                return JsonMessages.readAnswer(body, type);
            }
        } catch (JacksonException e) {
            throw unexpected(e);
        }
        throw unexpected(null);
    }

    private StoreUnavailableException unexpected(@Nullable Throwable cause) {
        String message = server + " answered with status " + status
                + " and something that is not of a Leasehold server: is the address correct?";
        return cause == null ? new StoreUnavailableException(message) : new StoreUnavailableException(message, cause);
    }
}
