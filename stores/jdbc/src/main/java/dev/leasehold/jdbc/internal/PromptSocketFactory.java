package dev.leasehold.jdbc.internal;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * The socket factory that stores opened by URL give to the PostgreSQL driver, so that a waiter
 * learns at once that a name is free. After each notification the driver checks for another one
 * with a read that blocks for a millisecond, the shortest timeout; with these sockets that read
 * returns immediately.
 *
 * <p>Not part of the API: the class is public because the driver loads it by name. Your own pool
 * can use it with {@code socketFactory=dev.leasehold.jdbc.internal.PromptSocketFactory} in its URL.
 */
public final class PromptSocketFactory extends SocketFactory {
    private static final int POLL_MILLIS = 1;

    @Override
    public Socket createSocket() {
        return new PromptSocket();
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port), null);
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) throws IOException {
        return connected(new InetSocketAddress(host, port), new InetSocketAddress(local, localPort));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port), null);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) throws IOException {
        return connected(new InetSocketAddress(host, port), new InetSocketAddress(local, localPort));
    }

    private static Socket connected(InetSocketAddress remote, @Nullable InetSocketAddress local) throws IOException {
        Socket socket = new PromptSocket();
        try {
            socket.bind(local);
            socket.connect(remote);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private static final class PromptSocket extends Socket {
        private volatile boolean polling;

        @Override
        public synchronized void setSoTimeout(int millis) throws SocketException {
            polling = millis == POLL_MILLIS;
            if (!polling) {
                super.setSoTimeout(millis);
            }
        }

        @Override
        public synchronized int getSoTimeout() throws SocketException {
            return polling ? POLL_MILLIS : super.getSoTimeout();
        }

        @Override
        public InputStream getInputStream() throws IOException {
            return new FilterInputStream(super.getInputStream()) {
                @Override
                public int read() throws IOException {
                    failIfEmpty();
                    return super.read();
                }

                @Override
                public int read(byte[] buffer, int offset, int length) throws IOException {
                    failIfEmpty();
                    return super.read(buffer, offset, length);
                }

                private void failIfEmpty() throws IOException {
                    if (polling && available() == 0) {
                        throw new SocketTimeoutException("nothing has arrived");
                    }
                }
            };
        }
    }
}
