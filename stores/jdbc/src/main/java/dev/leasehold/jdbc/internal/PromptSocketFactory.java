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
 * Sockets for the driver of PostgreSQL with which a waiter learns at once that a name is free. After each notification the
 * driver looks whether another one has arrived, by a read that may take a millisecond, the shortest timeout there is; here
 * that read takes no time. Stores that are opened by URL use it; a pool of your own does with {@code
 * socketFactory=dev.leasehold.jdbc.internal.PromptSocketFactory} in its URL.
 */
public final class PromptSocketFactory extends SocketFactory {
    private static final int LOOK_MILLIS = 1;

    @Override
    public Socket createSocket() {
        return new Prompt();
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
        Socket socket = new Prompt();
        try {
            socket.bind(local);
            socket.connect(remote);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private static final class Prompt extends Socket {
        private volatile boolean looking;

        @Override
        public synchronized void setSoTimeout(int millis) throws SocketException {
            looking = millis == LOOK_MILLIS;
            if (!looking) {
                super.setSoTimeout(millis);
            }
        }

        @Override
        public synchronized int getSoTimeout() throws SocketException {
            return looking ? LOOK_MILLIS : super.getSoTimeout();
        }

        @Override
        public InputStream getInputStream() throws IOException {
            return new FilterInputStream(super.getInputStream()) {
                @Override
                public int read() throws IOException {
                    refuseToWait();
                    return super.read();
                }

                @Override
                public int read(byte[] buffer, int offset, int length) throws IOException {
                    refuseToWait();
                    return super.read(buffer, offset, length);
                }

                private void refuseToWait() throws IOException {
                    if (looking && available() == 0) {
                        throw new SocketTimeoutException("nothing has arrived");
                    }
                }
            };
        }
    }
}
