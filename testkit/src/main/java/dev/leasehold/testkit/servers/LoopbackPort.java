package dev.leasehold.testkit.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports of the loopback address. */
public final class LoopbackPort {
    /** Below the ports that systems give to connections and to servers that do not choose. */
    private static final int FIRST = 10_000;

    private static final int LAST = 32_000;
    private static final int TRIES = 100;

    private LoopbackPort() {}

    /** A port that nobody uses now, and that nobody gets by chance before the test uses it. */
    public static int free() throws IOException {
        IOException failure = null;
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException e) {
                failure = e;
            }
        }
        throw new IOException("no free port was found", failure);
    }
}
