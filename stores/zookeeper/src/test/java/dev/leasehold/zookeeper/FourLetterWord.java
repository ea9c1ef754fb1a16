package dev.leasehold.zookeeper;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Asks a ZooKeeper server about itself. */
final class FourLetterWord {
    private FourLetterWord() {}

    /** What a server says about itself after this label, as in {@code Mode: leader}. */
    static String status(int port, String label) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return answer.lines()
                    .filter(line -> line.startsWith(label + ": "))
                    .map(line -> line.substring(label.length() + 2))
                    .findFirst()
                    .orElse("");
        }
    }
}
