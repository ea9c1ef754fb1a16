package dev.leasehold.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Forwards between clients and a server, and cuts the connection before or after the k-th message.
 */
final class CuttingProxy implements AutoCloseable {
    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int target;
    private final AtomicInteger messages = new AtomicInteger();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile int cutAt = Integer.MAX_VALUE;
    private volatile boolean after;

    CuttingProxy(int target) throws IOException {
        this.target = target;
        start(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    void cutAt(int message, boolean afterIt) {
        messages.set(0);
        after = afterIt;
        cutAt = message;
    }

    /** Returns whether there were that many messages. */
    boolean heal() {
        boolean cut = messages.get() >= cutAt;
        cutAt = Integer.MAX_VALUE;
        return cut;
    }

    /** The number of messages in both directions. */
    int messages() {
        return messages.get();
    }

    /** The number of open client connections. */
    int connections() {
        return open.size();
    }

    private void accept() {
        try {
            while (!listening.isClosed()) {
                Socket client = listening.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                open.add(client);
                start(() -> pass(client, server, client));
                start(() -> pass(server, client, client));
            }
        } catch (IOException e) {
            // The proxy was closed.
        }
    }

    private void pass(Socket from, Socket to, Socket client) {
        byte[] buffer = new byte[1 << 16];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                boolean cut = messages.incrementAndGet() == cutAt;
                if (!cut || after) {
                    out.write(buffer, 0, read);
                    out.flush();
                }
                if (cut) {
                    return;
                }
            }
        } catch (IOException e) {
            // The other direction was cut.
        } finally {
            open.remove(client);
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "cutting-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket client : open) {
            client.close();
        }
    }
}
