package dev.leasehold.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.leasehold.Stores;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.environment.TestCertificate;
import dev.leasehold.testkit.servers.JavaServer;
import dev.leasehold.testkit.servers.LoopbackPort;
import dev.leasehold.testkit.servers.ZooKeeperServer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS connections: the certificate must be trusted and name the host. */
class ZooKeeperTlsTest {
    @TempDir
    Path directory;

    @Test
    void certificateMustBeTrustedAndFitTheHost() throws Exception {
        TestCertificate right = TestCertificate.in(directory.resolve("right"), "dns:localhost");
        TestCertificate wrong = TestCertificate.in(directory.resolve("wrong"), "dns:localhost");
        int securePort = LoopbackPort.free();
        try (ZooKeeperServer server = ZooKeeperServer.start(JavaServer.ownClassPath(), tls(right, securePort))) {
            String trusting = url("localhost", securePort, "20s", right);
            try (LeaseStore store = Stores.create(trusting)) {
                assertThat(store.acquire(
                                LeaseName.of("job"),
                                AttemptId.of("the-attempt"),
                                Holder.of("h"),
                                Duration.ofSeconds(30)))
                        .isInstanceOf(Acquisition.Granted.class);
            }
            assertRefused(url("localhost", securePort, "1s", wrong), "trusted TLS certificate", "?ca=file.pem");
            assertRefused(url("localhost", server.port(), "1s", right), "does not speak TLS", "zookeeper://");
            assertRefused(
                    "zookeeper://localhost:" + securePort + "/leases?timeout=1s", "speaks only TLS", "zookeepers://");
        }
    }

    @Test
    void aCertificateOfAnotherHostIsRefused() throws Exception {
        TestCertificate elsewhere = TestCertificate.in(directory, "dns:elsewhere.example");
        int securePort = LoopbackPort.free();
        try (ZooKeeperServer server = ZooKeeperServer.start(JavaServer.ownClassPath(), tls(elsewhere, securePort))) {
            assertRefused(url("localhost", securePort, "1s", elsewhere), "trusted TLS certificate", "name this host");
        }
    }

    @Test
    void theCertificatesToTrustMustBeNamed() {
        assertThatThrownBy(() -> Stores.create("zookeepers://localhost/leases"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("?ca=file.pem");
        assertThatThrownBy(() -> Stores.create("zookeepers://localhost/leases?ca=/no/such/file"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("/no/such/file");
    }

    private static String url(String host, int port, String timeout, TestCertificate trusted) {
        return "zookeepers://" + host + ":" + port + "/leases?timeout=" + timeout + "&ca=" + trusted.certificate();
    }

    private static String tls(TestCertificate certificate, int port) {
        return String.join(
                "\n",
                "serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory",
                "secureClientPort=" + port,
                "secureClientPortAddress=127.0.0.1",
                "ssl.keyStore.location=" + certificate.keys(),
                "ssl.keyStore.type=PKCS12",
                "ssl.keyStore.password=" + TestCertificate.PASSWORD,
                "ssl.trustStore.location=" + certificate.certificate(),
                "ssl.trustStore.type=PEM",
                "ssl.clientAuth=none",
                "");
    }

    /** On a busy machine the first handshake of a server takes so long that it does not tell the reason: it is asked again. */
    private static void assertRefused(String url, String happened, String help) {
        StoreUnavailableException refused = refusal(url);
        for (int i = 0; i < 10 && refused.getMessage().contains("did not answer in time"); i++) {
            refused = refusal(url);
        }
        assertThat(refused)
                .hasMessageContaining(happened)
                .hasMessageContaining("nothing was")
                .hasMessageContaining(help);
    }

    private static StoreUnavailableException refusal(String url) {
        return catchThrowableOfType(StoreUnavailableException.class, () -> Stores.create(url));
    }
}
