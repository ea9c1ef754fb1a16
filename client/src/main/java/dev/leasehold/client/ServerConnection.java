package dev.leasehold.client;

import dev.leasehold.client.message.JsonMessages;
import dev.leasehold.model.StoreUnavailableException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sends calls to one of several equal servers, and to the next one if that fails. The server that
 * answered last is asked first.
 */
final class ServerConnection {
    private static final int MIN_TRIES = 3;
    private static final long PAUSE_NANOS = 100_000_000;

    /** Whether a call whose answer was lost may be sent again. */
    enum Repeat {
        /** A repetition changes nothing, and its answer is the lost one. */
        SAFE,
        /** A repetition could have another outcome. */
        NEVER
    }

    private final ServerAddress address;
    private final @Nullable String key;
    private final HttpClient http;
    private final AtomicInteger preferred = new AtomicInteger();

    ServerConnection(ServerAddress address) {
        this.address = address;
        this.key = Credentials.key(address);
        if (key != null) {
            address.requireSafeForAKey();
        }
        // The client's own thread does everything that an answer needs, which is little. Passing it on
        // to other threads takes more time than the work itself.
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .executor(Runnable::run)
                .connectTimeout(address.timeout());
        String certificates = address.certificates();
        this.http = (certificates == null ? builder : builder.sslContext(Credentials.trusting(certificates))).build();
    }

    /** @param parameters names and values in turn */
    ServerReply get(String path, String... parameters) {
        StringBuilder target = new StringBuilder(path);
        for (int i = 0; i < parameters.length; i += 2) {
            target.append(i == 0 ? '?' : '&')
                    .append(parameters[i])
                    .append('=')
                    .append(URLEncoder.encode(parameters[i + 1], StandardCharsets.UTF_8));
        }
        return call(target.toString(), null, Repeat.SAFE);
    }

    ServerReply post(String path, Object message, Repeat repeat) {
        return call(path, JsonMessages.write(message), repeat);
    }

    private ServerReply call(String target, byte @Nullable [] body, Repeat repeat) {
        long end = System.nanoTime() + address.timeout().toNanos();
        int servers = address.servers().size();
        int tries = Math.max(MIN_TRIES, 2 * servers);
        for (int i = 1; ; i++) {
            int asked = preferred.get();
            URI server = address.servers().get(asked % servers);
            long left = end - System.nanoTime();
            try {
                ServerReply reply =
                        send(server, target, body, repeat, servers == 1 ? left : Math.min(left, timeout(2)));
                boolean again = reply.isUndone() || (repeat == Repeat.SAFE && reply.isLost());
                if (!again || i >= tries || isOver(end)) {
                    return reply;
                }
            } catch (IOException | TimeoutException e) {
                boolean mayRepeat = repeat == Repeat.SAFE || isNotSent(e);
                if (!mayRepeat || i >= tries || isOver(end)) {
                    throw unavailable(server, e);
                }
            }
            preferred.compareAndSet(asked, (asked + 1) % servers);
            if (i % servers == 0) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private long timeout(int parts) {
        return address.timeout().toNanos() / parts;
    }

    private static boolean isOver(long end) {
        return System.nanoTime() - end >= 0;
    }

    /** Whether the failure shows that the server has not got the call. */
    private static boolean isNotSent(Exception e) {
        return e instanceof ConnectException || e instanceof HttpConnectTimeoutException;
    }

    private ServerReply send(URI server, String target, byte @Nullable [] body, Repeat repeat, long nanos)
            throws IOException, TimeoutException {
        long end = System.nanoTime() + nanos;
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(server + target)).timeout(Duration.ofNanos(Math.max(1, nanos)));
        if (key != null) {
            request.header("Authorization", "Bearer " + key);
        }
        if (body != null) {
            request.header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofByteArray(body));
        }
        HttpResponse<AwaitedBody> response = exchange(request.build(), repeat, nanos);
        boolean read = false;
        try {
            byte[] answer = await(response.body().bytes(), end - System.nanoTime());
            read = true;
            return new ServerReply(server, response.statusCode(), answer);
        } finally {
            if (!read) {
                response.body().cancel();
            }
        }
    }

    /**
     * Sends a request and waits for the headers of its answer. Waiting in the client takes fewer
     * threads than waiting for its future, but an interrupt ends it and cancels the call. A call that
     * may be repeated is then sent again.
     */
    private HttpResponse<AwaitedBody> exchange(HttpRequest request, Repeat repeat, long nanos)
            throws IOException, TimeoutException {
        if (repeat == Repeat.SAFE && !Thread.currentThread().isInterrupted()) {
            try {
                return http.send(request, answer -> new AwaitedBody());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return await(http.sendAsync(request, answer -> new AwaitedBody()), nanos);
    }

    /**
     * Waits through interrupts: a thread that is told to stop must still be able to give its lease
     * back. The caller finds the flag afterwards.
     */
    private static <T> T await(CompletableFuture<T> answer, long nanos) throws IOException, TimeoutException {
        long end = System.nanoTime() + nanos;
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return answer.get(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
        } finally {
            answer.cancel(true);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private StoreUnavailableException unavailable(URI server, Exception e) {
        String reason = e instanceof ConnectException
                ? "is not reachable"
                : e instanceof TimeoutException || e instanceof java.net.http.HttpTimeoutException
                        ? "did not answer in time"
                        : "broke off the connection" + (e.getMessage() == null ? "" : " (" + e.getMessage() + ")");
        return new StoreUnavailableException("the Leasehold server at " + server + " " + reason, e);
    }
}
