package dev.leasehold.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** What a client shows to a server, and what it wants to be shown. */
final class Credentials {
    static final String VARIABLE = "LEASEHOLD_ACCESS_KEY";

    private Credentials() {}

    /**
     * The key to send: from the file that the URL names, or from the environment. Null if there is
     * none.
     *
     * @throws IllegalArgumentException if the file cannot be read, or has something else
     */
    static @Nullable String key(ServerAddress address) {
        String file = address.keyFile();
        String key = System.getenv(VARIABLE);
        if (file != null) {
            try {
                key = Files.readString(Path.of(file)).strip();
            } catch (IOException e) {
                throw new IllegalArgumentException(
                        "the key of the server cannot be read from " + file + ": " + e.getMessage(), e);
            }
        }
        if (key == null || key.isEmpty()) {
            return null;
        }
        if (key.length() > 200 || key.chars().anyMatch(c -> c <= 0x20 || c >= 0x7f)) {
            throw new IllegalArgumentException((file == null ? VARIABLE : file)
                    + " does not have a key: it is one line that starts with lhk_, as 'leasehold keys add' printed it");
        }
        return key;
    }

    /** Trusts the certificates of a file, and no others. */
    static SSLContext trusting(String file) {
        try {
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            int number = 0;
            for (Certificate certificate : CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(Path.of(file))))) {
                trusted.setCertificateEntry("ca-" + number++, certificate);
            }
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "the certificates to trust cannot be read from " + file + ": " + e.getMessage(), e);
        }
    }
}
