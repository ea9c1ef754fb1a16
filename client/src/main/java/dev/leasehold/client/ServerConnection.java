package dev.leasehold.client;

import dev.leasehold.client.message.JsonMessages;
import dev.leasehold.internal.http.ConnectionPool;
import dev.leasehold.internal.http.HttpConnection;
import dev.leasehold.internal.http.NotSentException;
import dev.leasehold.internal.http.RequestBytes;
import dev.leasehold.internal.http.TrustedCertificates;
import dev.leasehold.model.StoreUnavailableException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLException;
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
    private final ConnectionPool connections;
    private final AtomicInteger preferred = new AtomicInteger();

    ServerConnection(ServerAddress address) {
        this.address = address;
        this.key = Credentials.key(address);
        if (key != null) {
            address.requireSafeForAKey();
        }
        this.connections = new ConnectionPool(TrustedCertificates.of(address.certificates()));
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
                ServerReply reply = send(server, target, body, servers == 1 ? left : Math.min(left, timeout(2)));
                boolean again = reply.isUndone() || (repeat == Repeat.SAFE && reply.isLost());
                if (!again || i >= tries || isOver(end)) {
                    return reply;
                }
            } catch (IOException e) {
                boolean mayRepeat = repeat == Repeat.SAFE || e instanceof NotSentException;
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

    /**
     * Waits through interrupts: a thread that is told to stop must still be able to give its lease
     * back. The caller finds the flag afterwards. (A virtual thread would close its socket.)
     */
    private ServerReply send(URI server, String target, byte @Nullable [] body, long nanos) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            HttpConnection.Reply reply =
                    connections.call(server, request(server, target, body), System.nanoTime() + nanos);
            return new ServerReply(server, reply.status(), reply.body());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private byte[] request(URI server, String target, byte @Nullable [] body) {
        Map<String, String> header = new LinkedHashMap<>();
        if (key != null) {
            header.put("Authorization", "Bearer " + key);
        }
        if (body != null) {
            header.put("Content-Type", "application/json");
        }
        return RequestBytes.of(body == null ? "GET" : "POST", server, server.getRawPath() + target, header, body);
    }

    private StoreUnavailableException unavailable(URI server, IOException e) {
        Throwable why = e instanceof NotSentException ? e.getCause() : e;
        String reason;
        if (why instanceof SocketTimeoutException) {
            reason = "did not answer in time. Check the server and the network";
        } else if (why instanceof UnknownHostException) {
            reason = "cannot be found, because no host has this name. Correct the host in the URL, or check the name"
                    + " service of this machine";
        } else if (e instanceof NotSentException && !(why instanceof SSLException)) {
            reason = "is not reachable. Check that it is running, and the host and port in the URL";
        } else {
            reason = "broke off the connection" + (e.getMessage() == null ? "" : " (" + e.getMessage() + ")");
        }
        return new StoreUnavailableException("the Leasehold server at " + server + " " + reason, e);
    }

    /** Closes the idle connections. */
    void close() {
        connections.close();
    }
}
