package dev.leasehold.internal.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** The certificates that a client trusts. */
public final class TrustedCertificates {
    private TrustedCertificates() {}

    /**
     * Makes TLS connections that trust the certificates of a file and no others.
     *
     * @param file PEM certificates; null for those of the JDK
     * @throws IllegalArgumentException if the file cannot be read, or has no certificate
     */
    public static Supplier<SSLSocketFactory> of(@Nullable String file) {
        if (file == null) {
            return () -> (SSLSocketFactory) SSLSocketFactory.getDefault();
        }
        SSLContext trusting = trusting(file);
        return trusting::getSocketFactory;
    }

    /** The same for a client library that does not check by itself whether the certificate names the host. */
    public static SSLContext checkingHosts(@Nullable String file) {
        try {
            return new HostCheckingContext(file == null ? SSLContext.getDefault() : trusting(file));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("the JDK's certificates cannot be used: " + e.getMessage(), e);
        }
    }

    private static SSLContext trusting(String file) {
        try {
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            int number = 0;
            for (Certificate certificate : CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(Path.of(file))))) {
                trusted.setCertificateEntry("ca-" + number++, certificate);
            }
            if (number == 0) {
                throw new CertificateException("there is no certificate in it");
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
