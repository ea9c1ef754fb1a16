package dev.leasehold.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.leasehold.Stores;
import dev.leasehold.model.StoreMissingException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.environment.InstalledProgram;
import dev.leasehold.testkit.environment.Requires;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Base64;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** URLs, credentials, and what goes wrong. */
@Requires(InstalledProgram.FIRESTORE)
@ExtendWith(SharedFirestore.class)
class FirestoreStoreTest {
    private final String collection = "c-" + UUID.randomUUID();

    @Test
    void openCreatesNothingAndCollectionsAreApart() {
        assertThatThrownBy(() -> Stores.open(SharedFirestore.url(collection)))
                .isInstanceOf(StoreMissingException.class)
                .hasMessageContainingAll(collection, "store init");
        try (LeaseStore made = Stores.create(SharedFirestore.url(collection));
                LeaseStore found = Stores.open(SharedFirestore.url(collection));
                LeaseStore other = Stores.create(SharedFirestore.url(collection + "-2"))) {
            assertThat(found.id()).isEqualTo(made.id()).isNotEqualTo(other.id());
        }
    }

    @Test
    void unreachableServiceIsNamed() {
        assertThatThrownBy(() -> Stores.open("firestore://project/leases?emulator=127.0.0.1:1"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContainingAll("Firestore at http://127.0.0.1:1", "cannot be reached", "nothing was sent");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "firestore:project/leases",
                "firestore://project",
                "firestore:///leases",
                "firestore://project/leases/x",
                "firestore://project/leases?token=hunter2",
                "firestore://user:hunter2@project/leases",
                "firestore://project/leases?timeout=1h",
                "firestore://project/leases?emulator=a/b",
                "firestore://project/leases?database=a/b"
            })
    void mistakesGetTheCorrectFormAndNoSecret(String url) {
        assertThatThrownBy(() -> FirestoreAddress.parse(url, Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Write firestore://")
                .hasMessageNotContaining("hunter2");
    }

    /** The emulator accepts everybody, so these are the answers of the hosted service, from its documentation. */
    @ParameterizedTest
    @CsvSource({
        "401, UNAUTHENTICATED, rejects the credentials",
        "403, PERMISSION_DENIED, roles/datastore.user",
        "404, NOT_FOUND, has no database",
        "429, RESOURCE_EXHAUSTED, slow down"
    })
    void refusalsAreExplained(int status, String error, String expected) throws IOException {
        HttpServer refusing =
                serve(status, "[{\"error\":{\"code\":1,\"status\":\"" + error + "\"}}]", new AtomicReference<>());
        try {
            String url = "firestore://project/leases?emulator=127.0.0.1:"
                    + refusing.getAddress().getPort();
            assertThatThrownBy(() -> Stores.open(url))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContainingAll(expected, "nothing was changed");
        } finally {
            refusing.stop(0);
        }
    }

    @Test
    void serviceAccountSignsForItsToken(@TempDir Path directory) throws Exception {
        AtomicReference<String> asked = new AtomicReference<>("");
        HttpServer tokens = serve(200, "{\"access_token\":\"a-token\",\"expires_in\":3599}", asked);
        try {
            KeyPair keys = KeyPairGenerator.getInstance("RSA").generateKeyPair();
            String url = "http://127.0.0.1:" + tokens.getAddress().getPort() + "/token";
            Path file = directory.resolve("account.json");
            String key = Base64.getMimeEncoder(64, new byte[] {'\n'})
                    .encodeToString(keys.getPrivate().getEncoded())
                    .replace("\n", "\\n");
            Files.writeString(
                    file,
                    "{\"type\":\"service_account\",\"client_email\":\"a@b\",\"token_uri\":\"" + url
                            + "\",\"private_key\":\"-----BEGIN PRIVATE KEY-----\\n" + key
                            + "\\n-----END PRIVATE KEY-----\\n\"}");
            AccessTokens found = GoogleCredentials.find(Map.of("GOOGLE_APPLICATION_CREDENTIALS", file.toString()));
            assertThat(found.get()).isEqualTo("a-token");
            String[] parts = asked.get().replaceAll(".*assertion=", "").split("\\.", -1);
            Signature check = Signature.getInstance("SHA256withRSA");
            check.initVerify(keys.getPublic());
            check.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.UTF_8));
            assertThat(check.verify(Base64.getUrlDecoder().decode(parts[2]))).isTrue();
            assertThat(new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8))
                    .contains("\"iss\":\"a@b\"", "auth/datastore");
        } finally {
            tokens.stop(0);
        }
    }

    @Test
    void machineGivesItsToken() throws IOException {
        HttpServer metadata =
                serve(200, "{\"access_token\":\"of-the-machine\",\"expires_in\":3599}", new AtomicReference<>());
        try {
            String host = "127.0.0.1:" + metadata.getAddress().getPort();
            assertThat(GoogleCredentials.find(Map.of("GCE_METADATA_HOST", host)).get())
                    .isEqualTo("of-the-machine");
        } finally {
            metadata.stop(0);
        }
    }

    @Test
    void brokenKeyFileIsRefusedWithoutShowingIt(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(
                directory.resolve("account.json"), "{\"type\":\"service_account\",\"private_key\":\"hunter2\"}");
        assertThatThrownBy(() -> GoogleCredentials.find(Map.of("GOOGLE_APPLICATION_CREDENTIALS", file.toString())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("private_key")
                .hasMessageNotContaining("hunter2");
    }

    private static HttpServer serve(int status, String answer, AtomicReference<String> asked) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
        server.createContext("/", exchange -> {
            asked.set(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        return server;
    }
}
