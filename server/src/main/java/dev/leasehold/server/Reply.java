package dev.leasehold.server;

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
        response.setStatus(answer.status());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.mediaType());
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, answer.body().remaining());
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        response.getHeaders().put("X-Content-Type-Options", "nosniff");
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
}
