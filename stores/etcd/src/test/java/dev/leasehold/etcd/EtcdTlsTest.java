package dev.leasehold.etcd;

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
import dev.leasehold.testkit.servers.EtcdServer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** TLS connections: the certificate must be trusted and name the host. */
@Requires("etcd")
@ExtendWith(SharedEtcd.class)
class EtcdTlsTest {
    @TempDir
    Path directory;

    @Test
    void certificateMustBeTrustedAndFitTheHost() throws Exception {
        TestCertificate right = TestCertificate.in(directory.resolve("right"), "dns:localhost");
        TestCertificate wrong = TestCertificate.in(directory.resolve("wrong"), "dns:localhost");
        try (EtcdServer server = EtcdServer.startWithTls(right)) {
            String localhost = "etcds://localhost:" + server.port() + "/leases?timeout=20s";
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
            assertThatThrownBy(() -> Stores.create(server.url()))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("if it speaks only TLS at this port, use etcds://");
        }
    }

    @Test
    void aPlainPortIsNotUsedWithTls() {
        assertRefused(SharedEtcd.server().url().replace("etcd://", "etcds://"), "does not speak TLS", "etcd://");
    }

    private static void assertRefused(String url, String happened, String help) {
        assertThatThrownBy(() -> Stores.create(url))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining(happened)
                .hasMessageContaining("nothing was sent")
                .hasMessageContaining(help);
    }
}
