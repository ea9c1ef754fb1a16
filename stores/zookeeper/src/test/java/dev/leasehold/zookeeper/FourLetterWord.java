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
        return value(ask(port, "srvr"), label + ": ");
    }

    /** How many watches the clients of a server have set. */
    static int watches(int port) throws IOException {
        return Integer.parseInt(value(ask(port, "wchs"), "Total watches:"));
    }

    private static String ask(int port, String word) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(word.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String value(String answer, String label) {
        return answer.lines()
                .filter(line -> line.startsWith(label))
                .map(line -> line.substring(label.length()))
                .findFirst()
                .orElse("");
    }
}
