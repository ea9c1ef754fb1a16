package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the library logs reaches the user, and what drivers log does not. */
class LogLinesTest {
    private static final String PASSWORD = "change it";

    @TempDir
    Path directory;

    /** Nobody else is told that a server goes on with a certificate that will expire. */
    @Test
    void aServerTellsThatARenewedCertificateCannotBeUsed() throws Exception {
        Path keystore = directory.resolve("server.p12");
        makeCertificate(keystore);
        Path password = Files.writeString(directory.resolve("password"), PASSWORD);
        CliRunner cli = CliRunner.withStore(directory.resolve("store")).withDrivers();
        Process server = cli.start(
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--json",
                "--tls-keystore",
                keystore.toString(),
                "--tls-password-file",
                password.toString());
        try (BufferedReader out = server.inputReader(StandardCharsets.UTF_8);
                BufferedReader err = server.errorReader(StandardCharsets.UTF_8)) {
            assertThat(out.readLine()).contains("https://");
            assertThat(err.readLine()).contains("listening on");
            Files.writeString(keystore, "not a keystore");

            CompletableFuture<String> warning = CompletableFuture.supplyAsync(() -> line(err));
            assertThat(warning.get(60, TimeUnit.SECONDS))
                    .startsWith("leasehold: warning: the certificate has changed and cannot be used; the previous one");
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    private static String line(BufferedReader reader) {
        try {
            return reader.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void makeCertificate(Path keystore) throws Exception {
        Process keytool = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-noprompt",
                        "-keystore",
                        keystore.toString(),
                        "-storepass",
                        PASSWORD,
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=server",
                        "-ext",
                        "san=ip:127.0.0.1"))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectInput(Path.of("/dev/null").toFile())
                .start();
        assertThat(keytool.waitFor()).isZero();
    }

    @Test
    void belowAWarningNothingIsShown() {
        LogRecord detail = new LogRecord(Level.FINE, "closed: a late task was dropped");
        detail.setThrown(new IllegalStateException("closed"));
        new LogLines().publish(detail);
        assertThat(Main.console().lastError()).isEmpty();
    }
}
