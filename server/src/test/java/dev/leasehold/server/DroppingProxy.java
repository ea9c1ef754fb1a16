package dev.leasehold.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;

/** A network between client and server that loses answers: the server has done what was asked. */
final class DroppingProxy implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final URI server;
    private final AtomicInteger drops = new AtomicInteger();

    DroppingProxy(URI server) throws IOException {
        this.server = server;
        start(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + listener.getLocalPort();
    }

    void dropAnswers(int count) {
        drops.set(count);
    }

    int left() {
        return drops.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Socket behind = RawHttp.connect(server);
                start(() -> copy(client, behind, false));
                start(() -> copy(behind, client, true));
            }
        } catch (IOException e) {
            // The proxy was closed.
        }
    }

    private void copy(Socket from, Socket to, boolean answers) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] bytes = new byte[8192];
            for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                if (answers && drops.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                    return;
                }
                out.write(bytes, 0, n);
                out.flush();
            }
        } catch (IOException e) {
            // One side has closed the connection.
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "dropping-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
