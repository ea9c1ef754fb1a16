package dev.leasehold.etcd;

import dev.leasehold.internal.ClusterUrl;
import dev.leasehold.internal.JsonReader;
import dev.leasehold.internal.JsonWriter;
import dev.leasehold.internal.http.ConnectionPool;
import dev.leasehold.internal.http.HttpConnection;
import dev.leasehold.internal.http.NotSentException;
import dev.leasehold.internal.http.TlsFailure;
import dev.leasehold.internal.http.TrustedCertificates;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.StoreUnreachableException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Calls to the JSON gateway of an etcd cluster. The member that answered last is asked first. A call that cannot have had
 * an effect is repeated on the next member; one that may have had an effect is not, because its repetition would have
 * another answer.
 *
 * <p>Safe for use by many threads.
 */
public final class EtcdClient implements AutoCloseable {
    private static final int MIN_TRIES = 4;
    private static final long PAUSE_NANOS = 50_000_000;

    /** Codes of gRPC. */
    static final int PERMISSION_DENIED = 7;

    private static final int FAILED_PRECONDITION = 9;
    private static final int UNAUTHENTICATED = 16;

    /** Whether a call whose answer was lost may be sent again. */
    enum Repeat {
        SAFE,
        NEVER
    }

    private final ClusterUrl address;
    private final List<URI> servers;
    private final ConnectionPool connections;
    private final AtomicInteger preferred = new AtomicInteger();
    private volatile @Nullable String token;

    private EtcdClient(ClusterUrl address) {
        this.address = address;
        this.servers = new ArrayList<>();
        for (String host : address.hosts()) {
            servers.add(URI.create((address.tls() ? "https://" : "http://") + host));
        }
        this.connections = new ConnectionPool(TrustedCertificates.of(address.certificates()));
    }

    /**
     * Prepares calls to the cluster of this URL; the first call connects.
     *
     * @param url {@code etcd://[user:password@]host[:port][,host2[:port]]/prefix[?timeout=3s]}, with {@code
     *     etcds} for TLS
     * @throws IllegalArgumentException if the URL is malformed
     */
    public static EtcdClient connect(String url) {
        return new EtcdClient(EtcdUrl.parse(url));
    }

    ClusterUrl address() {
        return address;
    }

    /**
     * Calls one method of the gateway.
     *
     * @throws StoreUnavailableException if there is no answer, or if the cluster refuses the call
     */
    Map<String, @Nullable Object> call(String method, Map<String, Object> message, Repeat repeat) {
        byte[] body = JsonWriter.ascii(message).getBytes(StandardCharsets.US_ASCII);
        long end = System.nanoTime() + address.timeout().toNanos();
        int tries = Math.max(MIN_TRIES, 2 * servers.size());
        for (int i = 1; ; i++) {
            int asked = preferred.get();
            URI server = servers.get(asked % servers.size());
            try {
                EtcdReply reply = send(server, method, body, servers.size() == 1 ? end : Math.min(end, soon()));
                if (reply.isOk()) {
                    return reply.content();
                }
                boolean again = reply.changedNothing() || repeat == Repeat.SAFE;
                if (!again || i >= tries || isOver(end)) {
                    throw refused(server, reply);
                }
                if (reply.code() == UNAUTHENTICATED) {
                    token = null;
                }
            } catch (IOException e) {
                boolean again = repeat == Repeat.SAFE || e instanceof NotSentException;
                if (!again || i >= tries || isOver(end)) {
                    throw unavailable(server, e);
                }
            }
            preferred.compareAndSet(asked, (asked + 1) % servers.size());
            if (i % servers.size() == 0) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    /** Leaves time for another member. */
    private long soon() {
        return System.nanoTime() + address.timeout().toNanos() / 2;
    }

    private static boolean isOver(long end) {
        return System.nanoTime() - end >= 0;
    }

    /** Waits through interrupts: a thread that is told to stop must still be able to give its lease back. */
    private EtcdReply send(URI server, String method, byte[] body, long end) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            String shown = address.user() == null ? null : token(server, end);
            HttpConnection.Reply reply = connections.call(server, request(server, method, body, shown), end);
            return EtcdReply.of(reply.status(), reply.body());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private String token(URI server, long end) throws IOException {
        String known = token;
        if (known != null) {
            return known;
        }
        Map<String, Object> login =
                Map.of("name", String.valueOf(address.user()), "password", String.valueOf(address.password()));
        byte[] body = JsonWriter.ascii(login).getBytes(StandardCharsets.US_ASCII);
        HttpConnection.Reply reply;
        try {
            reply = connections.call(server, request(server, "auth/authenticate", body, null), end);
        } catch (NotSentException e) {
            throw e;
        } catch (IOException e) {
            // The call itself was not sent.
            throw new NotSentException(e);
        }
        EtcdReply answer = EtcdReply.of(reply.status(), reply.body());
        if (!answer.isOk()) {
            throw refused(server, answer);
        }
        String drawn = String.valueOf(answer.content().get("token"));
        token = drawn;
        return drawn;
    }

    private static byte[] request(URI server, String method, byte[] body, @Nullable String token) {
        String head = "POST /v3/" + method + " HTTP/1.1\r\nHost: " + server.getRawAuthority() + "\r\n"
                + (token == null ? "" : "Authorization: " + token + "\r\n")
                + "Content-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n";
        byte[] start = head.getBytes(StandardCharsets.ISO_8859_1);
        // In one piece, so that it is one packet.
        byte[] whole = Arrays.copyOf(start, start.length + body.length);
        System.arraycopy(body, 0, whole, start.length, body.length);
        return whole;
    }

    private StoreUnavailableException refused(URI server, EtcdReply reply) {
        String hint =
                switch (reply.code()) {
                    case PERMISSION_DENIED ->
                        "; the user needs a role with read and write permission for all keys that start with '"
                                + address.path() + "/'";
                    case UNAUTHENTICATED -> "; check user and password in the URL";
                    case FAILED_PRECONDITION -> "; remove user and password from the URL, or enable authentication";
                    default ->
                        reply.status() == 404
                                ? "; is this etcd 3.4 or later, with its gateway (--enable-grpc-gateway)?"
                                : "";
                };
        return new EtcdRefusedException(
                "etcd at " + server.getRawAuthority() + " refused the call: " + reply.error() + hint, reply.code());
    }

    private StoreUnavailableException unavailable(URI server, IOException e) {
        Throwable why = e instanceof NotSentException ? e.getCause() : e;
        String unknown = why instanceof UnknownHostException ? address.unknownHosts() : null;
        if (unknown != null) {
            return new StoreUnreachableException("etcd at " + address + " " + unknown, e);
        }
        String tls = e instanceof NotSentException ? TlsFailure.explain(why, "etcd://") : null;
        if (tls != null) {
            return new StoreUnavailableException("etcd at " + server.getRawAuthority() + " " + tls, e);
        }
        String reason = why instanceof SocketTimeoutException
                ? "did not answer in time"
                : e instanceof NotSentException ? "is not reachable" : "broke off the connection";
        String detail = why == null || why.getMessage() == null ? "" : " (" + why.getMessage() + ")";
        // A port with TLS does not answer anything else.
        boolean plain = !(e instanceof NotSentException) && server.getScheme().equals("http");
        String hint = plain ? "; if it speaks only TLS at this port, use etcds://" : "";
        return new StoreUnavailableException("etcd at " + server.getRawAuthority() + " " + reason + detail + hint, e);
    }

    @Override
    public void close() {
        connections.close();
    }

    /** An answer of the gateway. */
    record EtcdReply(int status, int code, String error, Map<String, @Nullable Object> content) {
        static EtcdReply of(int status, byte[] body) throws IOException {
            String text = new String(body, StandardCharsets.UTF_8);
            try {
                Map<String, @Nullable Object> content = JsonReader.object(text);
                Object code = content.get("code");
                return new EtcdReply(
                        status,
                        code == null ? 0 : Integer.parseInt(code.toString()),
                        String.valueOf(content.get("error")),
                        content);
            } catch (IllegalArgumentException e) {
                if (status == 200) {
                    throw new IOException("the answer is not JSON", e);
                }
                return new EtcdReply(status, 0, "HTTP status " + status, Map.of());
            }
        }

        boolean isOk() {
            return status == 200;
        }

        /** The credentials were refused before anything else was looked at; a new login may help. */
        boolean changedNothing() {
            return code == UNAUTHENTICATED;
        }
    }
}
