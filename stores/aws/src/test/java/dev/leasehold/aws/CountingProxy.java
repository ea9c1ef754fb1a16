package dev.leasehold.aws;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/** Passes connections on to a server, and counts the requests: each starts with POST in one packet. */
final class CountingProxy implements AutoCloseable {
    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final AtomicLong requests = new AtomicLong();
    private final int server;

    CountingProxy(int server) throws IOException {
        this.server = server;
        start(this::acceptAll);
    }

    int port() {
        return listening.getLocalPort();
    }

    long requests() {
        return requests.get();
    }

    private void acceptAll() {
        try {
            while (true) {
                Socket client = listening.accept();
                Socket behind = new Socket(InetAddress.getLoopbackAddress(), server);
                start(() -> copy(client, behind));
                start(() -> copy(behind, client));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void copy(Socket from, Socket to) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[64 * 1024];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                if (new String(buffer, 0, Math.min(n, 5), StandardCharsets.ISO_8859_1).equals("POST ")) {
                    requests.incrementAndGet();
                }
                out.write(buffer, 0, n);
            }
        } catch (IOException e) {
            // One side has ended.
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "counting-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
