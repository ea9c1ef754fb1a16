package dev.leasehold.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.testkit.servers.LoopbackPort;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The client's side of HTTP, against a server that answers with prepared bytes. */
class HttpConnectionTest {
    private static final byte[] REQUEST = "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    private final AtomicInteger connections = new AtomicInteger();
    private final Deque<List<String>> answers = new ArrayDeque<>();
    private ServerSocket server;
    private ConnectionPool pool;
    private URI address;

    @BeforeEach
    void start() throws IOException {
        server = new ServerSocket(LoopbackPort.free(), 50, InetAddress.getLoopbackAddress());
        address = URI.create("http://127.0.0.1:" + server.getLocalPort());
        pool = new ConnectionPool(() -> {
            throw new AssertionError("no TLS here");
        });
        Thread thread = new Thread(this::acceptAll, "prepared-server");
        thread.setDaemon(true);
        thread.start();
    }

    @AfterEach
    void stop() throws IOException {
        pool.close();
        server.close();
    }

    /** Each connection gives its prepared answers, one for each request, and is closed then. */
    private void acceptAll() {
        while (true) {
            try {
                Socket socket = server.accept();
                connections.incrementAndGet();
                Thread thread = new Thread(() -> serve(socket));
                thread.setDaemon(true);
                thread.start();
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        List<String> own;
        synchronized (answers) {
            own = answers.poll();
        }
        try (socket) {
            for (String answer : own) {
                readRequest(socket.getInputStream());
                for (String part : answer.split("~", -1)) {
                    socket.getOutputStream().write(part.getBytes(StandardCharsets.ISO_8859_1));
                    socket.getOutputStream().flush();
                    if (answer.contains("~")) {
                        Thread.sleep(50);
                    }
                }
            }
            if (own.get(own.size() - 1).endsWith("~")) {
                socket.getInputStream().read();
            }
        } catch (IOException | InterruptedException e) {
            // The client went away.
        }
    }

    private static void readRequest(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int c = in.read();
            if (c < 0) {
                throw new IOException("no further request");
            }
            head.append((char) c);
        }
    }

    private void answers(String... ofOneConnection) {
        synchronized (answers) {
            answers.add(List.of(ofOneConnection));
        }
    }

    private HttpConnection.Reply call() throws IOException {
        return pool.call(address, REQUEST, System.nanoTime() + 30_000_000_000L);
    }

    private String body() throws IOException {
        return new String(call().body(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void answersFollowEachOtherOnOneConnection() throws IOException {
        answers(
                OK,
                "HTTP/1.1 404 Not Found\r\ncontent-length:3\r\n\r\nnot",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\nA\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\n",
                "HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200\r\nContent-Length: 4\r\n\r\nlast");

        assertThat(body()).isEqualTo("ok");
        assertThat(call().status()).isEqualTo(404);
        assertThat(body()).isEqualTo("abc0123456789");
        assertThat(body()).isEmpty();
        assertThat(body()).isEqualTo("last");
        assertThat(connections).hasValue(1);
    }

    @Test
    void connectionThatTheServerEndsIsNotUsedAgain() throws IOException {
        answers("HTTP/1.1 200 OK\r\nConnection: Close\r\nContent-Length: 2\r\n\r\nok");
        answers("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok");
        answers("HTTP/1.1 200 OK\r\n\r\nup to the end");
        answers(OK);

        assertThat(body()).isEqualTo("ok");
        assertThat(body()).isEqualTo("ok");
        assertThat(body()).isEqualTo("up to the end");
        assertThat(body()).isEqualTo("ok");
        assertThat(connections).hasValue(4);
    }

    @Test
    void idleConnectionGivesTheNextAnswerAndNotTheLastOneAgain() throws Exception {
        answers(OK, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext");

        assertThat(body()).isEqualTo("ok");
        Thread.sleep(700);
        assertThat(body()).isEqualTo("next");
        assertThat(connections).hasValue(1);
    }

    @Test
    void connectionThatWasClosedWhileIdleIsReplacedBeforeTheRequestIsSent() throws Exception {
        answers(OK);
        answers(OK);

        assertThat(body()).isEqualTo("ok");
        Thread.sleep(700);
        assertThat(body()).isEqualTo("ok");
        assertThat(connections).hasValue(2);
    }

    @Test
    void answerThatArrivesByteByByteIsRead() throws IOException {
        answers("H~TTP/1.1 200 OK\r~\nContent-Len~gth: 2\r\n\r~\no~k");

        assertThat(body()).isEqualTo("ok");
    }

    @ParameterizedTest
    @ValueSource(strings = {"~", "HTTP/1.1 200 OK\r\n~", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf~"})
    void silentServerIsGivenUpInTime(String answer) {
        answers(answer);

        assertThatThrownBy(() -> pool.call(address, REQUEST, System.nanoTime() + 500_000_000L))
                .isInstanceOf(SocketTimeoutException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SSH-2.0-OpenSSH_9.2\r\n",
                "HTTP/2 200\r\n\r\n",
                "HTTP/1.1 2x0 OK\r\n\r\n",
                "HTTP/1.1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 9000000000\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhalf",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhalf",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\n",
                "HTTP/1.1 200 OK\r\nContent-Le"
            })
    void answerThatCannotBeTrustedIsAnErrorAndItsConnectionIsNotUsedAgain(String answer) throws IOException {
        answers(answer);
        answers(OK);

        assertThatThrownBy(this::call)
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(NotSentException.class)
                .isNotInstanceOf(SocketTimeoutException.class);
        assertThat(body()).isEqualTo("ok");
        assertThat(connections).hasValue(2);
    }

    @Test
    void endlessHeadIsRefused() {
        answers("HTTP/1.1 200 OK\r\n" + "X: 0123456789\r\n".repeat(10_000));

        assertThatThrownBy(this::call).hasMessageContaining("too large");
    }

    @Test
    void serverThatCannotBeReachedHasNotGotTheRequest() throws IOException {
        server.close();

        assertThatThrownBy(this::call).isInstanceOf(NotSentException.class);
    }
}
