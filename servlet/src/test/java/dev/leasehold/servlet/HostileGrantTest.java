package dev.leasehold.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreId;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.Stream;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Headers that no honest caller sends. None of them passes, raises the fence or fails the service. */
class HostileGrantTest {
    private static final Grant GRANT = new Grant(
            LeaseName.of("ledger"), FencingToken.of(7), AttemptId.of("attempt-of-7"), StoreId.of("store-of-the-test"));
    private static final String GOOD = "Leasehold-Grant: " + GRANT.encode() + "\r\n";
    private static final String HIGHER = GRANT.encode().replace(";7;", ";8;");

    private LedgerService service;

    @BeforeEach
    void start() throws Exception {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:hostile;DB_CLOSE_DELAY=-1");
        service = new LedgerService(database);
        service.start(service.door().resource(request -> "the ledger"));
    }

    @AfterEach
    void stop() throws Exception {
        service.close();
    }

    static Stream<String> headers() {
        return Stream.of(
                "",
                "Leasehold-Grant:\r\n",
                "Leasehold-Grant: \t \r\n",
                "Leasehold-Grant: 8\r\n",
                "Leasehold-Grant: " + "8".repeat(500) + "\r\n",
                "Leasehold-Grant: lh1;" + "8".repeat(7000) + ";attempt-of-8;store-of-the-test;ledger\r\n",
                "Leasehold-Grant: " + "x".repeat(100_000) + "\r\n",
                "Leasehold-Grant: " + HIGHER + "/" + "x".repeat(300) + "\r\n",
                GOOD + GOOD,
                GOOD + "leasehold-grant: " + HIGHER + "\r\n",
                GOOD.repeat(50),
                "Leasehold-Grant: " + GRANT.encode() + ", " + HIGHER + "\r\n",
                "Leasehold-Grant: " + HIGHER + ",\r\n",
                "Leasehold-Grant: \"" + HIGHER + "\"\r\n",
                "Leasehold-Grant: " + HIGHER + "\u0000\r\n",
                "Leasehold-Grant: " + HIGHER + "\u001b[2J\r\n",
                "Leasehold-Grant: " + HIGHER + "\u007f\r\n",
                "Leasehold-Grant: " + HIGHER + "\u00e4\r\n",
                "Leasehold-Grant: " + HIGHER + "\rX: y\r\n",
                "Leasehold-Grant: " + HIGHER + "\r\n x\r\n",
                "Leasehold-Grant : " + HIGHER + "\r\n",
                "Leasehold-Grant: " + HIGHER.replace(";8;", ";+8;") + "\r\n",
                "Leasehold-Grant: " + HIGHER.replace(";8;", ";9223372036854775808;") + "\r\n",
                "Leasehold-Grant: " + HIGHER.replace("attempt-of-7", "") + "\r\n",
                "Leasehold-Grant: " + HIGHER.replace("store-of-the-test", "") + "\r\n",
                "Leasehold-Grant: " + HIGHER.replace("store-of-the-test", "another-store") + "\r\n",
                "Leasehold-Grant: " + HIGHER.replace(";ledger", ";another") + "\r\n",
                "Leasehold-Grant: " + HIGHER.replace(";ledger", ";' or 1=1 --") + "\r\n");
    }

    @ParameterizedTest
    @MethodSource("headers")
    void isRefusedWithoutAnError(String headers) throws Exception {
        assertThat(status(GOOD)).isEqualTo(200);
        assertThat(status(headers)).isBetween(400, 499);
        assertThat(service.entered()).isEqualTo(1);
        assertThat(status(GOOD)).as("the fence was not raised").isEqualTo(200);
    }

    @Test
    void aGrantWithAWrongByteIsRefused() throws Exception {
        assertThat(status(GOOD)).isEqualTo(200);
        Random random = new Random(7);
        for (int i = 0; i < 500; i++) {
            char[] text = GRANT.encode().toCharArray();
            // Behind the token: another token would be another grant of this lease.
            int at = text.length - 1 - random.nextInt(text.length - 6);
            char changed = (char) random.nextInt(256);
            boolean same = text[at] == changed;
            text[at] = changed;
            int before = service.entered();
            int status = status("Leasehold-Grant: " + new String(text) + "\r\n");
            if (!same) {
                assertThat(status).as(new String(text)).isBetween(400, 499);
                assertThat(service.entered()).as(new String(text)).isEqualTo(before);
            }
        }
    }

    private int status(String headers) throws IOException {
        try (Socket socket = new Socket(service.uri().getHost(), service.uri().getPort())) {
            socket.setSoTimeout(60_000);
            String request = "PUT /ledger HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + headers
                    + "Content-Length: 5\r\n\r\nentry";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            assertThat(answer).startsWith("HTTP/1.1 ");
            return Integer.parseInt(answer.substring(9, 12));
        }
    }
}
