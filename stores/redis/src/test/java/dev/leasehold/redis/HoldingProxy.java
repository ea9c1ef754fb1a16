package dev.leasehold.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** Stands between a client and its server and keeps back what the client sends for as long as the test likes. */
final class HoldingProxy implements AutoCloseable {
    private final ServerSocket listening;
    private final int target;
    private final List<Socket> open = new ArrayList<>();
    private boolean holding;
    private boolean heldBytes;

    HoldingProxy(int target) throws IOException {
        this.target = target;
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    synchronized void hold() {
        holding = true;
        heldBytes = false;
    }

    synchronized void letGo() {
        holding = false;
        notifyAll();
    }

    /** Returns when a message of a client has arrived here and goes no further. */
    synchronized void awaitHeldBytes() throws InterruptedException {
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (!heldBytes && System.nanoTime() < deadline) {
            wait(100);
        }
        if (!heldBytes) {
            throw new AssertionError("nothing was sent");
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                synchronized (this) {
                    open.add(client);
                    open.add(server);
                }
                start(() -> copy(client, server, true));
                start(() -> copy(server, client, false));
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    private void copy(Socket from, Socket to, boolean holds) {
        byte[] buffer = new byte[65536];
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                if (holds) {
                    awaitLetGo();
                }
                out.write(buffer, 0, count);
            }
        } catch (IOException | InterruptedException e) {
            // One side hung up; the other is closed with it.
        }
    }

    private synchronized void awaitLetGo() throws InterruptedException {
        heldBytes |= holding;
        notifyAll();
        while (holding) {
            wait();
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "holding-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        letGo();
        listening.close();
        synchronized (this) {
            for (Socket socket : open) {
                socket.close();
            }
        }
    }
}
