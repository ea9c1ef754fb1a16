package dev.leasehold.server;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Sends the answer to one request, once, from any thread and without waiting for the client. */
final class Reply {
    private final Request request;
    private final Response response;
    private final Callback callback;
    private final ServerMetrics metrics;
    private final long begun = System.nanoTime();
    private final AtomicBoolean sent = new AtomicBoolean();
    private volatile boolean streaming;
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicBoolean writing = new AtomicBoolean();
    private volatile String call = ServerMetrics.UNKNOWN;

    Reply(Request request, Response response, Callback callback, ServerMetrics metrics) {
        this.request = request;
        this.response = response;
        this.callback = callback;
        this.metrics = metrics;
    }

    /** @param path of a call that exists */
    void answers(String path) {
        call = path;
    }

    Request request() {
        return request;
    }

    void send(Answer answer) {
        send(answer, () -> {});
    }

    /** @param undelivered what to do if the client does not get it */
    void send(Answer answer, Runnable undelivered) {
        if (!sent.compareAndSet(false, true)) {
            undelivered.run();
            return;
        }
        metrics.answered(call, answer, System.nanoTime() - begun);
        putHeaders(answer.status(), answer.mediaType());
        answer.headers().forEach((name, value) -> response.getHeaders().put(name, value));
        if (answer.status() != 204 && answer.status() != 304) {
            response.getHeaders().put(HttpHeader.CONTENT_LENGTH, answer.body().remaining());
        }
        if (answer.status() == 401) {
            response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer");
        }
        Duration pause = answer.retryAfter();
        if (pause != null) {
            response.getHeaders()
                    .put(
                            HttpHeader.RETRY_AFTER,
                            Math.max(1, pause.plusMillis(999).toSeconds()));
        }
        response.write(true, answer.body(), Callback.from(callback::succeeded, failure -> {
            callback.failed(failure);
            undelivered.run();
        }));
    }

    /** Adds a header to the answer that will be sent. */
    void header(String name, String value) {
        response.getHeaders().put(name, value);
    }

    private void putHeaders(int status, String mediaType) {
        response.setStatus(status);
        if (!mediaType.isEmpty()) {
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, mediaType);
        }
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        response.getHeaders().put("X-Content-Type-Options", "nosniff");
    }

    /** Begins an answer of unknown length instead, which {@link #write} continues. */
    void begin(String mediaType, byte[] start) {
        if (sent.compareAndSet(false, true)) {
            metrics.answering(call, 200, System.nanoTime() - begun);
            putHeaders(200, mediaType);
            streaming = true;
            write(start);
        }
    }

    /** Whether the client has not yet taken what was written last. Then nothing more may be written. */
    boolean isWriting() {
        return writing.get();
    }

    /** Whether the answer has ended, or the client is gone. */
    boolean isOver() {
        return over.get();
    }

    void write(byte[] part) {
        if (!over.get() && writing.compareAndSet(false, true)) {
            response.write(false, ByteBuffer.wrap(part), Callback.from(() -> writing.set(false), failure -> {
                if (over.compareAndSet(false, true)) {
                    callback.failed(failure);
                }
            }));
        }
    }

    /** Ends an answer that was begun. */
    void end() {
        if (streaming && over.compareAndSet(false, true)) {
            if (writing.get()) {
                // The client takes nothing, so it cannot be told.
                callback.failed(new IllegalStateException("the client does not read"));
            } else {
                response.write(true, ByteBuffer.allocate(0), callback);
            }
        }
    }
}
