package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Stores;
import dev.leasehold.spi.LeaseStore;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that do not speak HTTP, or speak it with bad intentions. */
class HostileClientTest {
    private static final int REQUESTS = Integer.getInteger("leasehold.hostile.requests", 2000);
    private static final long SEED = Long.getLong("leasehold.hostile.seed", System.nanoTime() & 0xffffff);
    private static final String CALL =
            "{\"name\":\"job\",\"ttlMs\":1000,\"holder\":\"h\",\"attempt\":\"attempt-0001\"}";

    @TempDir
    Path directory;

    private LeaseStore store;
    private LeaseholdServer server;

    @BeforeEach
    void startAServer() throws Exception {
        store = Stores.create("file:" + directory.resolve("store"));
        server = SharedServer.start(store);
    }

    @AfterEach
    void stopTheServer() {
        server.close();
        store.close();
    }

    private String answer(String request) throws IOException {
        return RawHttp.exchange(server.uri(), request);
    }

    private static String post(String path, String headers, String body) {
        return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + headers
                + "Connection: close\r\n\r\n" + body;
    }

    private void assertAlive() throws IOException {
        assertThat(answer("GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 200");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense||",
                "GET /healthz HTTP/9.9|Host: localhost||",
                "GET /healthz HTTP/1.1||",
                "GET /healthz HTTP/1.1|Host: localhost|Host: evil|Connection: close||",
                "GET /../../etc/passwd HTTP/1.1|Host: localhost|Connection: close||",
                "GET /v1/%2e%2e/healthz HTTP/1.1|Host: localhost|Connection: close||",
                "GET /v1/leases;x=/names HTTP/1.1|Host: localhost|Connection: close||",
                "GET /v1/leases?prefix=%zz HTTP/1.1|Host: localhost|Connection: close||",
                "GET /v1/leases?prefix=%ff%fe HTTP/1.1|Host: localhost|Connection: close||",
                "TRACE /healthz HTTP/1.1|Host: localhost|Connection: close||",
                "OPTIONS /v1/leases HTTP/1.1|Host: localhost|Origin: http://evil|Connection: close||",
                "CONNECT evil:80 HTTP/1.1|Host: localhost|Connection: close||",
                "POST /v1/leases/acquire HTTP/1.1|Host: localhost|JSON|Content-Length: 5|Transfer-Encoding: chunked|Connection: close||0||",
                "POST /v1/leases/acquire HTTP/1.1|Host: localhost|JSON|Content-Length: -5|Connection: close||",
                "POST /v1/leases/acquire HTTP/1.1|Host: localhost|JSON|Content-Length: 999999999999999999999|Connection: close||",
                "POST /v1/leases/acquire HTTP/1.1|Host: localhost|JSON|Transfer-Encoding: chunked|Connection: close||zz|"
            })
    void aRequestThatIsNotHttpIsRefusedInTheFormOfTheApi(String lines) throws IOException {
        String answer =
                answer(lines.replace("JSON", "Content-Type: application/json").replace("|", "\r\n"));
        assertThat(answer).matches("(?s)HTTP/1\\.1 (4\\d\\d|505).*");
        assertThat(answer)
                .doesNotContainIgnoringCase("jetty")
                .doesNotContain("Exception", "<html", "Server:", "at org.");
        int body = answer.indexOf("\r\n\r\n") + 4;
        if (body < answer.length()) {
            assertThat(answer).contains("application/problem+json", "urn:leasehold:problem:");
        }
        assertAlive();
    }

    @Test
    void whatIsTooLargeIsRefusedWithItsReason() throws IOException {
        assertThat(answer("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(20_000) + "\r\n\r\n"))
                .startsWith("HTTP/1.1 431")
                .contains("headers-too-large");
        assertThat(answer("GET /v1/leases?prefix=" + "x".repeat(20_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                .startsWith("HTTP/1.1 414")
                .contains("uri-too-long");
        String chunk = "10000\r\n" + " ".repeat(0x10000) + "\r\n";
        assertThat(answer(post("/v1/leases/acquire", "Transfer-Encoding: chunked\r\n", chunk + chunk + "0\r\n\r\n")))
                .startsWith("HTTP/1.1 413")
                .contains("too-large");
        assertAlive();
    }

    /** Silent and dripping clients hold connections, and nothing else. */
    /** Otherwise the next call on the connection ends without an answer, and its outcome is unknown. */
    @Test
    void aCallThatIsRefusedBeforeItsBodyArrivesKeepsItsConnection() throws Exception {
        try (Socket socket = RawHttp.connect(server.uri())) {
            RawHttp.send(socket, "POST /v1/nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n");
            Thread.sleep(200);
            RawHttp.send(socket, "{}GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 404")
                    .contains("HTTP/1.1 200");
        }
    }

    @Test
    void aCallThatIsRefusedWithoutReadingItsBodySaysThatTheConnectionEnds() throws Exception {
        assertThat(answer("POST /v1/nothing HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"))
                .startsWith("HTTP/1.1 404")
                .containsIgnoringCase("Connection: close");
    }

    @Test
    void slowClientsDoNotKeepOthersOut() throws Exception {
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 300; i++) {
                Socket socket = RawHttp.connect(server.uri());
                slow.add(socket);
                String request = post("/v1/leases/acquire", "Content-Length: 1000\r\n", "{");
                RawHttp.send(socket, request.substring(0, i % 3 == 0 ? 0 : i % 3 == 1 ? 20 : request.length()));
            }
            for (int i = 0; i < 20; i++) {
                assertAlive();
            }
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
        assertAlive();
    }

    @Test
    void requestsInOnePacketAreAnsweredInOrder() throws Exception {
        StringBuilder requests = new StringBuilder();
        for (int i = 0; i < 50; i++) {
            requests.append("GET /v1/leases/one?name=n").append(i).append(" HTTP/1.1\r\nHost: localhost\r\n\r\n");
        }
        requests.append("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        String answers = answer(requests.toString());
        int from = 0;
        for (int i = 0; i < 50; i++) {
            from = answers.indexOf("\"n" + i + " was never held\"", from);
            assertThat(from).isPositive();
        }
        assertThat(answers).endsWith("{\"status\":\"alive\"}");
    }

    /** Requests with bytes changed, cut off, repeated. -Dleasehold.hostile.requests=100000 makes it longer. */
    @Test
    void damagedRequestsNeverFailTheServer() throws Exception {
        System.out.println("hostile requests: " + REQUESTS + ", -Dleasehold.hostile.seed=" + SEED);
        Random random = new Random(SEED);
        String good = post("/v1/leases/acquire", "Content-Length: " + CALL.length() + "\r\n", CALL);
        for (int i = 0; i < REQUESTS; i++) {
            String answer = damaged(random, good);
            assertThat(answer).as("request %s", i).doesNotContain("HTTP/1.1 500", "Exception", "<html");
        }
        assertAlive();
    }

    private String damaged(Random random, String good) throws IOException {
        byte[] bytes = good.getBytes(StandardCharsets.ISO_8859_1);
        int changes = 1 + random.nextInt(4);
        for (int i = 0; i < changes; i++) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        int length = random.nextInt(5) == 0 ? random.nextInt(bytes.length) : bytes.length;
        try (Socket socket = RawHttp.connect(server.uri())) {
            socket.setSoTimeout(2000);
            socket.getOutputStream().write(bytes, 0, length);
            socket.shutdownOutput();
            InputStream in = socket.getInputStream();
            return new String(in.readNBytes(100_000), StandardCharsets.UTF_8);
        } catch (SocketTimeoutException e) {
            return "the server still waits for the rest";
        } catch (IOException e) {
            return "the server closed the connection";
        }
    }
}
