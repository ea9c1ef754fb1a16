package dev.leasehold.http;

import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Text;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/**
 * Sends requests under a lease to services that refuse stale grants.
 *
 * <p>The lease is asked immediately before a request is sent. The request can still arrive late: the
 * process, or the network, can pause after that. So the service checks as well. Immutable and safe
 * for use by many threads, as the client is.
 */
public final class LeasedHttpClient {
    private static final int MAX_REASON = 60;

    private final HttpClient client;

    private LeasedHttpClient(HttpClient client) {
        this.client = client;
    }

    public static LeasedHttpClient over(HttpClient client) {
        return new LeasedHttpClient(client);
    }

    /**
     * Sends a request with the grant of the lease.
     *
     * @param handler reads the body of an answer; it is not used for a refusal, so a refusal is never
     *     taken for the file or the document that was asked for
     * @throws LeaseLostException if the lease is no longer trusted; nothing was sent
     * @throws IOException if no answer arrived; whether the service handled the call is unknown
     */
    public <T> CallResult<T> send(Lease lease, HttpRequest.Builder request, HttpResponse.BodyHandler<T> handler)
            throws IOException, InterruptedException {
        Exchange<T> exchange = new Exchange<>(lease, handler);
        return exchange.result(client.send(GrantHeader.on(request.copy(), lease).build(), exchange));
    }

    /** As {@link #send}, without waiting for the answer. */
    public <T> CompletableFuture<CallResult<T>> sendAsync(
            Lease lease, HttpRequest.Builder request, HttpResponse.BodyHandler<T> handler) {
        Exchange<T> exchange = new Exchange<>(lease, handler);
        return client.sendAsync(GrantHeader.on(request.copy(), lease).build(), exchange)
                .thenApply(exchange::result);
    }

    /** One call: keeps the body of a refusal apart from that of an answer. */
    private static final class Exchange<T> implements HttpResponse.BodyHandler<T> {
        private final Lease lease;
        private final HttpResponse.BodyHandler<T> handler;
        private volatile String problem = "";

        Exchange(Lease lease, HttpResponse.BodyHandler<T> handler) {
            this.lease = lease;
            this.handler = handler;
        }

        @Override
        @SuppressWarnings("NullAway") // The body of a refusal is never shown to the caller.
        public HttpResponse.BodySubscriber<T> apply(HttpResponse.ResponseInfo answer) {
            if (answer.headers().firstValue(GrantHeader.REFUSED).isEmpty()) {
                return handler.apply(answer);
            }
            return HttpResponse.BodySubscribers.mapping(
                    HttpResponse.BodySubscribers.ofString(StandardCharsets.UTF_8), text -> {
                        problem = text;
                        return null;
                    });
        }

        CallResult<T> result(HttpResponse<T> response) {
            String reason = response.headers().firstValue(GrantHeader.REFUSED).orElse(null);
            if (reason == null) {
                return new CallResult.Answered<>(response);
            }
            String raised = response.headers().firstValue(GrantHeader.RAISED).orElse(null);
            if (reason.equals("stale") && raised != null) {
                try {
                    CallResult.Stale<T> stale = new CallResult.Stale<>(lease.grant(), FencingToken.parse(raised));
                    lease.reportStale(stale.explanation());
                    return stale;
                } catch (IllegalArgumentException e) {
                    // It is not our filter that answered; the refusal stands.
                }
            }
            return new CallResult.Refused<>(response.statusCode(), Text.shown(reason, MAX_REASON), problem);
        }
    }
}
