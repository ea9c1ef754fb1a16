package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Stores;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.store.MemoryLeaseStore;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Certificates from keystores, with the mistakes that people make with them. */
class KeystoreTest {
    @TempDir
    Path directory;

    private Path keystore;
    private Path password;

    @BeforeEach
    void nameTheFiles() throws Exception {
        keystore = directory.resolve("server.p12");
        password = Files.writeString(directory.resolve("password"), MadeKeystore.PASSWORD + "\n");
    }

    private KeystoreFile file(String alias) {
        return new KeystoreFile(keystore, password, alias);
    }

    private void assertRefused(String alias, String... words) {
        assertThatThrownBy(() -> file(alias).read())
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .contains(words)
                .doesNotContain(MadeKeystore.PASSWORD);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PKCS12", "JKS"})
    void aClientIsServedWithTheCertificateOfAKeystore(String type) throws Exception {
        MadeKeystore.addKey(keystore, type, "web", "EC", "server 1");
        X509Certificate own = certificate(file("web"));
        Path ca = Files.writeString(
                directory.resolve("ca.pem"),
                "-----BEGIN CERTIFICATE-----\n" + Base64.getMimeEncoder().encodeToString(own.getEncoded())
                        + "\n-----END CERTIFICATE-----\n");
        try (LeaseStore behind = new MemoryLeaseStore();
                LeaseholdServer server = LeaseholdServer.over(behind)
                        .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .keystore(keystore, password, null)
                        .start();
                LeaseStore store = Stores.open(server.uri() + "?ca=" + ca)) {
            assertThat(store.id()).isEqualTo(behind.id());
        }
    }

    @Test
    void aRenewedKeystoreIsUsedAndABrokenOneIsNot() throws Exception {
        MadeKeystore.addKey(keystore, "PKCS12", "web", "EC", "server 1");
        RenewedCertificate renewed = new RenewedCertificate(file(null));
        renewed.context().start();
        try {
            assertThat(subject(renewed)).contains("server 1");
            Files.delete(keystore);
            MadeKeystore.addKey(keystore, "PKCS12", "web", "EC", "server 2");
            Files.setLastModifiedTime(keystore, FileTime.from(Instant.ofEpochSecond(1_000_000)));
            renewed.look();
            assertThat(subject(renewed)).contains("server 2");
            Files.writeString(password, "another one");
            renewed.look();
            assertThat(subject(renewed)).contains("server 2");
        } finally {
            renewed.context().stop();
        }
    }

    private static String subject(RenewedCertificate renewed) throws Exception {
        return ((X509Certificate) renewed.context().getKeyStore().getCertificate(TlsSource.ENTRY))
                .getSubjectX500Principal()
                .getName();
    }

    private static X509Certificate certificate(KeystoreFile file) throws Exception {
        return (X509Certificate) file.read().getCertificate(TlsSource.ENTRY);
    }

    @Test
    void mistakesAreExplained() throws Exception {
        assertThatThrownBy(() -> file(null).read())
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("server.p12");
        MadeKeystore.addKey(keystore, "PKCS12", "web", "EC", "server 1");
        assertRefused("wbe", "server.p12", "no private key with the alias 'wbe'", "it has web");
        MadeKeystore.addKey(keystore, "PKCS12", "mail", "EC", "server 2");
        assertRefused(null, "several keys", "--tls-alias", "mail, web");
        assertThat(certificate(file("mail")).getSubjectX500Principal().getName())
                .isEqualTo("CN=server 2");
        Files.writeString(password, "guessed");
        assertRefused("web", "the password in", "is not the password of", "server.p12");
        Files.writeString(password, "\n");
        assertRefused("web", "is empty");
        Files.writeString(password, MadeKeystore.PASSWORD);
        Files.writeString(keystore, "-----BEGIN CERTIFICATE-----");
        assertRefused("web", "not a keystore", "--tls-cert");
        Files.delete(keystore);
        Files.createDirectory(keystore);
        assertRefused("web", "is not a file");
    }

    @Test
    void aCertificateThatNobodyWouldAcceptIsRefused() throws Exception {
        MadeKeystore.addKey(
                keystore, "PKCS12", "old", "EC", "server 1", "-startdate", "2020/01/01 00:00:00", "-validity", "30");
        assertRefused(null, "server.p12", "expired on 2020-01-31", "Renew it");
        MadeKeystore.addKey(keystore, "PKCS12", "young", "EC", "server 2", "-startdate", "+10d");
        assertRefused("young", "valid only from", "clock");
    }

    @Test
    void aKeystoreWithoutAKeyIsRefused() throws Exception {
        MadeKeystore.addKey(keystore, "PKCS12", "web", "EC", "server 1");
        Path exported = directory.resolve("cert");
        MadeKeystore.keytool(keystore, List.of("-exportcert", "-alias", "web", "-file", exported.toString()));
        Files.delete(keystore);
        MadeKeystore.keytool(
                keystore,
                List.of("-importcert", "-storetype", "PKCS12", "-alias", "web", "-file", exported.toString()));

        assertRefused(null, "has no private key, only certificates");
    }
}
