package dev.leasehold.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Forwards between a client and a server, and holds back the server's answers while it is shut. */
public final class AnswerGate implements AutoCloseable {
    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final int target;
    private boolean shut;

    /** @param target the server's port on this host */
    public AnswerGate(int target) throws IOException {
        this.target = target;
        start(this::accept);
    }

    public int port() {
        return listening.getLocalPort();
    }

    public synchronized void shut() {
        shut = true;
    }

    public synchronized void open() {
        shut = false;
        notifyAll();
    }

    /** Loses the answers that it holds back, and every connection. */
    public void cut() throws IOException {
        for (Socket socket : open) {
            socket.close();
        }
        open();
    }

    private synchronized void awaitOpen() throws InterruptedException {
        while (shut) {
            wait();
        }
    }

    private void accept() {
        try {
            while (!listening.isClosed()) {
                Socket client = listening.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                open.add(client);
                open.add(server);
                start(() -> pass(client, server, false));
                start(() -> pass(server, client, true));
            }
        } catch (IOException e) {
            // The gate was closed.
        }
    }

    private void pass(Socket from, Socket to, boolean answers) {
        byte[] buffer = new byte[1 << 16];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (answers) {
                    awaitOpen();
                }
                out.write(buffer, 0, read);
                out.flush();
            }
        } catch (IOException | InterruptedException e) {
            // The connection was cut.
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "answer-gate");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listening.close();
        cut();
    }
}
