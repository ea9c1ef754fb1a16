package dev.leasehold.server;

import dev.leasehold.client.message.JsonMessages;
import dev.leasehold.client.message.ProblemAnswer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a call answers. */
final class Answer {
    private static final String JSON = "application/json";
    private static final String PROBLEM = "application/problem+json";

    private final int status;
    private final String mediaType;
    private final byte[] body;
    private final @Nullable Duration retryAfter;

    private Answer(int status, String mediaType, byte[] body, @Nullable Duration retryAfter) {
        this.status = status;
        this.mediaType = mediaType;
        this.body = body;
        this.retryAfter = retryAfter;
    }

    static Answer of(Object message) {
        return new Answer(200, JSON, JsonMessages.write(message), null);
    }

    static Answer json(String text) {
        return new Answer(200, JSON, text.getBytes(StandardCharsets.UTF_8), null);
    }

    static Answer problem(ProblemAnswer problem) {
        return new Answer(problem.status(), PROBLEM, JsonMessages.write(problem), null);
    }

    /** The same answer, which also says when it makes sense to ask again. */
    Answer retryAfter(Duration pause) {
        return new Answer(status, mediaType, body, pause);
    }

    int status() {
        return status;
    }

    String mediaType() {
        return mediaType;
    }

    ByteBuffer body() {
        return ByteBuffer.wrap(body);
    }

    /** Null if asking again is of no use. */
    @Nullable
    Duration retryAfter() {
        return retryAfter;
    }
}
