package dev.leasehold.redis;

import static dev.leasehold.redis.Fixtures.acquire;
import static dev.leasehold.redis.Fixtures.freshName;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Stores;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Release;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS connections: the certificate must be trusted and name the host. */
class RedisTlsTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    Path directory;

    @Test
    void certificateMustBeTrustedAndFitTheHost() throws Exception {
        try (RedisProcess server = start("dns:localhost")) {
            String localhost = "rediss://:secret@localhost:" + server.port();
            String trusting = "?ca=" + directory.resolve("certificate.pem");
            try (LeaseStore store = Stores.create(localhost + trusting)) {
                Grant grant = acquire(store, freshName());
                store.watch(grant.name()).orElseThrow().close();
                assertThat(store.release(grant, Duration.ZERO)).isInstanceOf(Release.Released.class);
            }
            assertThatThrownBy(() -> Stores.create(localhost))
                    .as("its authority is not trusted")
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("certif");
            assertThatThrownBy(() -> Stores.create(localhost.replace("localhost", "127.0.0.1") + trusting))
                    .as("it is a certificate of another host")
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("certif");
            assertThatThrownBy(() -> Stores.create(localhost.replace("rediss", "redis")))
                    .as("without encryption")
                    .isInstanceOf(StoreUnavailableException.class);
        }
    }

    private RedisProcess start(String alternativeNames) throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(new ByteArrayInputStream(keyPair(alternativeNames)), PASSWORD);
        Path certificate = directory.resolve("certificate.pem");
        Path key = directory.resolve("key.pem");
        Files.writeString(
                certificate, pem("CERTIFICATE", keys.getCertificate("redis").getEncoded()));
        Files.writeString(key, pem("PRIVATE KEY", keys.getKey("redis", PASSWORD).getEncoded()));
        return RedisProcess.start(
                "--tls-cert-file",
                certificate.toString(),
                "--tls-key-file",
                key.toString(),
                "--tls-ca-cert-file",
                certificate.toString(),
                "--tls-auth-clients",
                "no",
                "--requirepass",
                "secret");
    }

    private byte[] keyPair(String alternativeNames) throws Exception {
        Path file = directory.resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "redis",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=redis",
                        "-ext",
                        "san=" + alternativeNames,
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .redirectErrorStream(true)
                .start();
        String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(output).isZero();
        return Files.readAllBytes(file);
    }

    private static String pem(String kind, byte[] content) {
        return "-----BEGIN " + kind + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content) + "\n-----END " + kind
                + "-----\n";
    }
}
