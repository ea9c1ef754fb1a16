package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Stores;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.store.MemoryLeaseStore;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.Key;
import java.security.KeyStore;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Certificates, from the files that other programs write. */
class TlsTest {
    @TempDir
    Path directory;

    private Path certificate;
    private Path key;

    @BeforeEach
    void nameTheFiles() {
        certificate = directory.resolve("cert.pem");
        key = directory.resolve("key.pem");
    }

    /** Makes a certificate with the JDK's tool, as the files that others write. */
    private void make(String algorithm, int number) throws Exception {
        Path made = directory.resolve("made-" + number + ".p12");
        MadeKeystore.addKey(made, "PKCS12", "a", algorithm, "server " + number);
        char[] password = MadeKeystore.PASSWORD.toCharArray();
        KeyStore store = KeyStore.getInstance(made.toFile(), password);
        Key secret = store.getKey("a", password);
        Files.writeString(
                certificate, pem("CERTIFICATE", store.getCertificate("a").getEncoded()));
        Files.writeString(key, pem("PRIVATE KEY", secret.getEncoded()));
        FileTime time = FileTime.from(Instant.ofEpochSecond(1_000_000 + number));
        Files.setLastModifiedTime(certificate, time);
        Files.setLastModifiedTime(key, time);
    }

    private static String pem(String kind, byte[] content) {
        return "-----BEGIN " + kind + "-----\n" + Base64.getMimeEncoder().encodeToString(content) + "\n-----END " + kind
                + "-----\n";
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC", "Ed25519"})
    void aClientThatTrustsTheCertificateIsServed(String algorithm) throws Exception {
        make(algorithm, 1);
        try (LeaseStore behind = new MemoryLeaseStore();
                LeaseholdServer server = LeaseholdServer.over(behind)
                        .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .tls(certificate, key)
                        .start()) {
            assertThat(server.uri().getScheme()).isEqualTo("https");
            try (LeaseStore store = Stores.open(server.uri() + "?ca=" + certificate)) {
                assertThat(store.id()).isEqualTo(behind.id());
            }
            assertThatThrownBy(() -> Stores.open(server.uri() + "?timeout=2s"))
                    .isInstanceOf(StoreUnavailableException.class);
            String otherName = server.uri().toString().replace("127.0.0.1", "localhost");
            assertThatThrownBy(() -> Stores.open(otherName + "?timeout=2s&ca=" + certificate))
                    .as("the certificate is for 127.0.0.1 and for no other name")
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("localhost");
        }
    }

    @Test
    void aRenewedCertificateIsUsedAndABrokenOneIsNot() throws Exception {
        make("EC", 1);
        RenewedCertificate renewed = new RenewedCertificate(new TlsFiles(certificate, key));
        renewed.context().start();
        try {
            assertThat(subject(renewed)).contains("server 1");
            make("EC", 2);
            renewed.look();
            assertThat(subject(renewed)).contains("server 2");
            Files.writeString(certificate, "damaged");
            renewed.look();
            assertThat(subject(renewed)).contains("server 2");
        } finally {
            renewed.context().stop();
        }
    }

    private static String subject(RenewedCertificate renewed) throws Exception {
        return ((java.security.cert.X509Certificate)
                        renewed.context().getKeyStore().getCertificate(TlsSource.ENTRY))
                .getSubjectX500Principal()
                .getName();
    }

    @Test
    void aKeyOfAnotherCertificateIsRefused() throws Exception {
        make("EC", 1);
        String other = Files.readString(key);
        make("EC", 2);
        Files.writeString(key, other);

        assertThatThrownBy(() -> new TlsFiles(certificate, key).read())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("does not belong to the certificate");
    }

    @Test
    void filesThatAreSomethingElseAreExplained() throws Exception {
        make("EC", 1);
        String good = Files.readString(key);
        for (String bad :
                List.of("", "damaged", good.replace("PRIVATE", "RSA PRIVATE"), pem("PRIVATE KEY", new byte[9]))) {
            Files.writeString(key, bad);
            assertThatThrownBy(() -> new TlsFiles(certificate, key).read())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("key.pem");
        }
        Files.writeString(key, good);
        Files.writeString(certificate, "");
        assertThatThrownBy(() -> new TlsFiles(certificate, key).read())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cert.pem");
    }
}
