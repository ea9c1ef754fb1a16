package dev.leasehold.server;

import dev.leasehold.client.message.JsonMessages;
import dev.leasehold.client.message.ProblemAnswer;
import dev.leasehold.client.message.ProblemType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a call answers. */
final class Answer {
    private static final String JSON = "application/json";
    private static final String PROBLEM_JSON = "application/problem+json";
    /** The text format that every version of Prometheus reads. */
    private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";

    private final int status;
    private final String mediaType;
    private final byte[] body;
    private final @Nullable Duration retryAfter;
    private final @Nullable String problemType;
    private final Map<String, String> headers;

    private Answer(
            int status,
            String mediaType,
            byte[] body,
            @Nullable Duration retryAfter,
            @Nullable String problemType,
            Map<String, String> headers) {
        this.status = status;
        this.mediaType = mediaType;
        this.body = body;
        this.retryAfter = retryAfter;
        this.problemType = problemType;
        this.headers = headers;
    }

    private Answer(int status, String mediaType, byte[] body, @Nullable String problemType) {
        this(status, mediaType, body, null, problemType, Map.of());
    }

    static Answer of(Object message) {
        return new Answer(200, JSON, JsonMessages.write(message), null);
    }

    static Answer json(String text) {
        return new Answer(200, JSON, text.getBytes(StandardCharsets.UTF_8), null);
    }

    static Answer json(int status, byte[] text) {
        return new Answer(status, JSON, text, null);
    }

    /** An answer without a body. */
    static Answer empty(int status) {
        return new Answer(status, "", new byte[0], null);
    }

    static Answer metrics(String text) {
        return new Answer(200, METRICS, text.getBytes(StandardCharsets.UTF_8), null);
    }

    static Answer problem(ProblemAnswer problem) {
        return new Answer(problem.status(), PROBLEM_JSON, JsonMessages.write(problem), problem.type());
    }

    /** A file, as it is or compressed. */
    static Answer file(int status, String mediaType, byte[] body, Map<String, String> headers) {
        return new Answer(status, mediaType, body, null, null, headers);
    }

    /** The same answer, which also says when it makes sense to ask again. */
    Answer retryAfter(Duration pause) {
        return new Answer(status, mediaType, body, pause, problemType, headers);
    }

    /** Whether the call got this problem instead of its answer. */
    boolean is(ProblemType type) {
        return type.uri().equals(problemType);
    }

    int status() {
        return status;
    }

    /** Empty if there is no body. */
    String mediaType() {
        return mediaType;
    }

    /** Headers that this answer has besides those of every answer, or instead of them. */
    Map<String, String> headers() {
        return headers;
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
