package dev.leasehold.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Stores;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.environment.Requires;
import dev.leasehold.testkit.environment.TestCertificate;
import dev.leasehold.testkit.servers.NatsServer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS connections: the certificate must be trusted and name the host. */
@Requires("nats-server")
class NatsTlsTest {
    @TempDir
    Path directory;

    @Test
    void certificateMustBeTrustedAndFitTheHost() throws Exception {
        TestCertificate right = TestCertificate.in(directory.resolve("right"), "dns:localhost");
        TestCertificate wrong = TestCertificate.in(directory.resolve("wrong"), "dns:localhost");
        try (NatsServer server = NatsServer.start(
                "--tls",
                "--tlscert",
                right.certificate().toString(),
                "--tlskey",
                right.key().toString())) {
            String localhost = "natss://localhost:" + server.port() + "/leases?timeout=20s";
            String trusting = localhost + "&ca=" + right.certificate();
            try (LeaseStore store = Stores.create(trusting)) {
                assertThat(store.acquire(
                                LeaseName.of("job"),
                                AttemptId.of("the-attempt"),
                                Holder.of("h"),
                                Duration.ofSeconds(30)))
                        .isInstanceOf(Acquisition.Granted.class);
            }
            assertRefused(localhost, "trusted TLS certificate", "?ca=file.pem");
            assertRefused(localhost + "&ca=" + wrong.certificate(), "trusted TLS certificate", "?ca=file.pem");
            assertRefused(trusting.replace("localhost", "127.0.0.1"), "trusted TLS certificate", "name this host");
            assertRefused(server.url(), "speaks only TLS", "natss://");
        }
    }

    @Test
    void aPlainPortIsNotUsedWithTls() throws Exception {
        try (NatsServer server = NatsServer.start()) {
            assertRefused(server.url().replace("nats://", "natss://"), "does not speak TLS", "nats://");
        }
    }

    private static void assertRefused(String url, String happened, String help) {
        assertThatThrownBy(() -> Stores.create(url))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining(happened)
                .hasMessageContaining("nothing was sent")
                .hasMessageContaining(help);
    }
}
