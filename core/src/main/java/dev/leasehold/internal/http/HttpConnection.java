package dev.leasehold.internal.http;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a server, for one call after the other: HTTP/1.1, as far as servers answer
 * small requests.
 *
 * <p>The JDK's client needs several threads and three times the processor time for such a call, most
 * of the time that a call through a server takes, and its classes take longer to load than a
 * command to run. Until Java 21 its timeouts also go by the time of day, so that a clock that is set
 * back makes it wait for hours. This one uses the caller's thread alone, and its monotonic clock.
 */
public final class HttpConnection implements Closeable {
    private static final int MOST_HEAD = 64 * 1024;
    private static final int MOST_BODY = 64 * 1024 * 1024;
    private static final int BUFFER = 8 * 1024;
    private static final int PROBE_MILLIS = 1;

    /** An answer: its status, its header, and its body as it was sent. */
    public static final class Reply {
        private final int status;
        private final Map<String, String> header;
        private final byte[] body;

        Reply(int status, Map<String, String> header, byte[] body) {
            this.status = status;
            this.header = header;
            this.body = body;
        }

        public int status() {
            return status;
        }

        /** @param name in lower case */
        public @Nullable String header(String name) {
            return header.get(name);
        }

        public byte[] body() {
            return body;
        }
    }

    private final Socket socket;
    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER];
    private int next;
    private int filled;
    private long end;
    private long idleSince;
    private boolean reusable;

    private HttpConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
    }

    /**
     * @param end by {@link System#nanoTime}
     * @throws NotSentException if there is no connection
     */
    public static HttpConnection open(URI server, Supplier<SSLSocketFactory> tls, long end) throws NotSentException {
        boolean secure = server.getScheme().equals("https");
        int port = server.getPort() >= 0 ? server.getPort() : secure ? 443 : 80;
        String host = server.getHost().replaceAll("[\\[\\]]", "");
        Socket socket = new Socket();
        boolean open = false;
        try {
            socket.setTcpNoDelay(true);
            InetSocketAddress address = new InetSocketAddress(host, port);
            if (address.isUnresolved()) {
                // Also if no time is left to connect: this is what the user has to know.
                throw new UnknownHostException(host);
            }
            socket.connect(address, millisUntil(end));
            if (secure) {
                socket.setSoTimeout(millisUntil(end));
                SSLSocket wrapped = (SSLSocket) tls.get().createSocket(socket, host, port, true);
                SSLParameters parameters = wrapped.getSSLParameters();
                parameters.setEndpointIdentificationAlgorithm("HTTPS");
                wrapped.setSSLParameters(parameters);
                shakeHands(wrapped);
                socket = wrapped;
            }
            HttpConnection connection = new HttpConnection(socket);
            open = true;
            return connection;
        } catch (IOException e) {
            throw new NotSentException(e);
        } finally {
            if (!open) {
                closeQuietly(socket);
            }
        }
    }

    /** A server that does not speak TLS may reset the connection before its answer, which is no TLS, was read. */
    private static void shakeHands(SSLSocket socket) throws IOException {
        try {
            socket.startHandshake();
        } catch (SocketException e) {
            throw new SSLException("the server broke off the connection: " + e.getMessage(), e);
        }
    }

    /** Sends a whole request and reads the whole answer. The answer to HEAD has no body. */
    public Reply call(byte[] request, long until) throws IOException {
        end = until;
        reusable = false;
        socket.getOutputStream().write(request);
        Head head = readHead();
        while (head.status() < 200) {
            head = readHead();
        }
        byte[] body = isHead(request) ? new byte[0] : readBody(head);
        reusable = head.keepsConnection();
        idleSince = System.nanoTime();
        return new Reply(head.status(), head.fields(), body);
    }

    private static boolean isHead(byte[] request) {
        return request[0] == 'H';
    }

    public boolean isReusable() {
        return reusable;
    }

    public long idleNanos() {
        return System.nanoTime() - idleSince;
    }

    /** Whether the server has neither closed the idle connection nor sent anything. */
    public boolean isQuiet() {
        // Rounded down to whole milliseconds later.
        end = System.nanoTime() + (PROBE_MILLIS + 1) * 1_000_000L;
        try {
            read();
            return false;
        } catch (SocketTimeoutException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** What the head of an answer says about its body; a length of -1 if it says none. */
    private record Head(
            int status, long length, boolean chunked, boolean keepsConnection, Map<String, String> fields) {}

    private Head readHead() throws IOException {
        int[] left = {MOST_HEAD};
        String status = readLine(left);
        int code =
                status.startsWith("HTTP/1.") && status.length() >= 12 ? (int) number(status.substring(9, 12), 10) : 0;
        if (code < 100) {
            throw new IOException("the answer is not HTTP");
        }
        boolean keeps = status.startsWith("HTTP/1.1");
        long length = -1;
        boolean chunked = false;
        Map<String, String> fields = new HashMap<>();
        for (String line = readLine(left); !line.isEmpty(); line = readLine(left)) {
            int colon = line.indexOf(':');
            String name = colon < 0 ? "" : line.substring(0, colon).toLowerCase(Locale.ROOT);
            String sent = line.substring(colon + 1).strip();
            String value = sent.toLowerCase(Locale.ROOT);
            fields.put(name, sent);
            switch (name) {
                case "connection" -> keeps &= !value.contains("close");
                case "transfer-encoding" -> chunked = value.endsWith("chunked");
                case "content-length" -> {
                    long announced = number(value, 10);
                    if (length >= 0 && length != announced) {
                        throw new IOException("the answer has two lengths");
                    }
                    length = announced;
                }
                default -> {}
            }
        }
        return new Head(code, length, chunked, keeps && (chunked || length >= 0), fields);
    }

    private byte[] readBody(Head head) throws IOException {
        if (head.status() == 204 || head.status() == 304) {
            return new byte[0];
        }
        if (!head.chunked()) {
            return head.length() < 0 ? readToTheEnd() : readExactly(head.length());
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        int[] left = {MOST_BODY};
        while (true) {
            long size = number(readLine(left).split(";", 2)[0].strip(), 16);
            if (size == 0) {
                break;
            }
            left[0] -= (int) Math.min(size, MOST_BODY);
            body.write(readExactly(size));
            readLine(left);
        }
        while (!readLine(left).isEmpty()) {
            // What follows the last chunk is of no use here.
        }
        return body.toByteArray();
    }

    private byte[] readExactly(long length) throws IOException {
        if (length > MOST_BODY) {
            throw tooLarge();
        }
        byte[] bytes = new byte[(int) length];
        for (int done = 0; done < bytes.length; ) {
            if (next == filled && !fill()) {
                throw new EOFException("the connection ended in the middle of the answer");
            }
            int part = Math.min(filled - next, bytes.length - done);
            System.arraycopy(buffer, next, bytes, done, part);
            next += part;
            done += part;
        }
        return bytes;
    }

    private byte[] readToTheEnd() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        while (next < filled || fill()) {
            bytes.write(buffer, next, filled - next);
            next = filled;
            if (bytes.size() > MOST_BODY) {
                throw tooLarge();
            }
        }
        return bytes.toByteArray();
    }

    /** @param left how many bytes may still come; it is counted down */
    private String readLine(int[] left) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = read(); c != '\n'; c = read()) {
            if (c < 0) {
                throw new EOFException("the connection ended before the answer");
            }
            if (--left[0] < 0) {
                throw tooLarge();
            }
            line.append((char) c);
        }
        int length = line.length();
        return length > 0 && line.charAt(length - 1) == '\r' ? line.substring(0, length - 1) : line.toString();
    }

    private int read() throws IOException {
        return next < filled || fill() ? buffer[next++] & 0xff : -1;
    }

    /** Waits until the end of the call at most, also if the server sends one byte at a time. */
    private boolean fill() throws IOException {
        // First, because the read may time out, and what was in the buffer has been used.
        next = 0;
        filled = 0;
        socket.setSoTimeout(millisUntil(end));
        filled = Math.max(0, in.read(buffer));
        return filled > 0;
    }

    private static IOException tooLarge() {
        return new IOException("the answer is too large");
    }

    private static long number(String text, int base) throws IOException {
        try {
            if (!text.isEmpty() && text.length() <= 16 && text.chars().allMatch(c -> Character.digit(c, base) >= 0)) {
                return Long.parseLong(text, base);
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new IOException("the answer has a malformed length");
    }

    private static int millisUntil(long end) throws SocketTimeoutException {
        long left = (end - System.nanoTime()) / 1_000_000;
        if (left < 1) {
            throw new SocketTimeoutException("no time is left");
        }
        return (int) Math.min(left, Integer.MAX_VALUE);
    }

    @Override
    public void close() {
        closeQuietly(socket);
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is of no use any more.
        }
    }
}
