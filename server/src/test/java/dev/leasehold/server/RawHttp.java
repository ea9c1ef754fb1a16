package dev.leasehold.server;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Sends bytes that no HTTP client would send. */
final class RawHttp {
    private RawHttp() {}

    static Socket connect(URI server) throws IOException {
        Socket socket = new Socket(server.getHost(), server.getPort());
        socket.setSoTimeout(60_000);
        return socket;
    }

    static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    /** Everything until the server closes the connection. */
    static String exchange(URI server, String request) throws IOException {
        try (Socket socket = connect(server)) {
            send(socket, request);
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
