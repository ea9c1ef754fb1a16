package dev.leasehold.redis;

import dev.leasehold.internal.SystemWatchdog;
import java.io.IOException;
import java.net.Socket;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * The socket of one connection. Its reads have no timeout, which would triple the system calls; a
 * watchdog closes the socket if the server does not answer.
 */
final class WatchdogSocket implements JedisSocketFactory {
    private final JedisSocketFactory factory;
    private final SystemWatchdog<WatchdogSocket> watchdog;
    private volatile @Nullable Socket socket;
    private volatile boolean cut;

    WatchdogSocket(JedisSocketFactory factory, SystemWatchdog<WatchdogSocket> watchdog) {
        this.factory = factory;
        this.watchdog = watchdog;
    }

    /** The watchdog starts here, because authentication waits for answers too. */
    @Override
    public Socket createSocket() {
        Socket made = factory.createSocket();
        socket = made;
        boolean watched = false;
        try {
            if (made instanceof SSLSocket encrypted) {
                // Here and not with the first command, so that a failure shows that nothing was sent.
                encrypted.startHandshake();
            }
            made.setSoTimeout(0);
            begin();
            watched = true;
            return made;
        } catch (IOException e) {
            throw new JedisConnectionException(e);
        } finally {
            if (!watched) {
                close();
            }
        }
    }

    void begin() {
        watchdog.begin(this);
    }

    void end() {
        watchdog.end(this);
    }

    void cut() {
        cut = true;
        close();
    }

    private void close() {
        try {
            Socket open = socket;
            if (open != null) {
                open.close();
            }
        } catch (IOException e) {
            // It was already broken.
        }
    }

    /** Whether the watchdog closed the socket because the server did not answer in time. */
    boolean timedOut() {
        return cut;
    }
}
