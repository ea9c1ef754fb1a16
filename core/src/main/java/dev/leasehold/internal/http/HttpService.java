package dev.leasehold.internal.http;

import dev.leasehold.model.StoreUnavailableException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A service behind one HTTP address. It repeats a call that the service has not got, or that changes
 * nothing; every other call without an answer has an unknown outcome. Safe for use by many threads.
 */
public final class HttpService implements AutoCloseable {
    private static final int MOST_TRIES = 3;
    private static final long PAUSE_NANOS = 50_000_000;

    /** Whether a call whose answer was lost may be sent again. */
    public enum Repeat {
        /** A repetition changes nothing, and its answer is the lost one. */
        SAFE,
        /** A repetition could have another outcome. */
        NEVER
    }

    private final String name;
    private final URI server;
    private final Duration timeout;
    private final ConnectionPool connections;

    /**
     * @param name for messages, as the subject of a sentence
     * @param timeout for each call with its repetitions
     * @param certificates a file of PEM certificates to trust instead of the JDK's
     */
    public HttpService(String name, URI server, Duration timeout, @Nullable String certificates) {
        this.name = name;
        this.server = server;
        this.timeout = timeout;
        this.connections = new ConnectionPool(TrustedCertificates.of(certificates));
    }

    public URI server() {
        return server;
    }

    /** The subject of sentences about this service. */
    public String name() {
        return name;
    }

    /**
     * @param request made anew for each try, because a signature has a time
     * @throws StoreUnavailableException if there is no answer
     */
    public HttpConnection.Reply call(Supplier<byte[]> request, Repeat repeat) {
        long end = System.nanoTime() + timeout.toNanos();
        for (int tries = 1; ; tries++) {
            try {
                HttpConnection.Reply reply = send(request.get(), end);
                // Without an own answer of the service; such an answer of a proxy tells nothing about the call.
                boolean lost = reply.status() >= 500;
                if (!lost || repeat == Repeat.NEVER || isLast(tries, end)) {
                    return reply;
                }
            } catch (IOException e) {
                if (!(repeat == Repeat.SAFE || e instanceof NotSentException) || isLast(tries, end)) {
                    throw unavailable(e);
                }
            }
            LockSupport.parkNanos(PAUSE_NANOS * tries);
        }
    }

    private static boolean isLast(int tries, long end) {
        return tries >= MOST_TRIES || System.nanoTime() + PAUSE_NANOS * tries - end >= 0;
    }

    /**
     * Waits through interrupts: a thread that is told to stop must still be able to give its lease
     * back. The caller finds the flag afterwards.
     */
    private HttpConnection.Reply send(byte[] request, long end) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            return connections.call(server, request, end);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private StoreUnavailableException unavailable(IOException e) {
        Throwable why = e instanceof NotSentException && e.getCause() != null ? e.getCause() : e;
        String said = why.getMessage() == null ? why.getClass().getSimpleName() : why.getMessage();
        String what;
        String tls = e instanceof NotSentException ? TlsFailure.explain(why, "http://") : null;
        if (tls != null) {
            what = tls;
        } else if (why instanceof UnknownHostException) {
            what = "cannot be found, because no host has the name " + said
                    + "; nothing was sent. Correct the host in the" + " URL, or check the name service of this machine";
        } else if (e instanceof NotSentException) {
            what = "cannot be reached (" + said + "); nothing was sent. Check the address and the network";
        } else if (why instanceof SocketTimeoutException) {
            what = "did not answer within " + timeout.toMillis()
                    + " ms; it is unknown whether the operation took effect. Check the service and the network, or"
                    + " allow more time with ?timeout=...";
        } else {
            what = "broke off the connection (" + said + "); it is unknown whether the operation took effect";
        }
        return new StoreUnavailableException(name + " " + what, e);
    }

    /** Closes the idle connections. */
    @Override
    public void close() {
        connections.close();
    }
}
