package dev.leasehold.internal.http;

import java.security.cert.CertificateException;
import java.util.Locale;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** What a failed TLS handshake means, and what to do. */
public final class TlsFailure {
    private TlsFailure() {}

    /**
     * As the second half of a sentence that starts with the server.
     *
     * @param plain the scheme for connections without TLS
     * @return null if the failure has nothing to do with TLS
     */
    public static @Nullable String explain(@Nullable Throwable failure, String plain) {
        for (Throwable why = failure; why != null; why = why.getCause()) {
            if (isCertificate(why)) {
                return "has no trusted TLS certificate (" + why.getMessage()
                        + "); nothing was sent. It must name this host and be signed by a trusted authority; add your own"
                        + " authority with ?ca=file.pem";
            }
        }
        for (Throwable why = failure; why != null; why = why.getCause()) {
            if (why instanceof SSLException) {
                return "does not speak TLS at this port (" + why.getMessage() + "); nothing was sent. Use " + plain
                        + " or the port with TLS";
            }
        }
        return null;
    }

    /** Whether the server speaks TLS, and has a certificate that is not trusted. */
    public static boolean isAboutCertificate(@Nullable Throwable failure) {
        for (Throwable why = failure; why != null; why = why.getCause()) {
            if (isCertificate(why)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isCertificate(Throwable why) {
        return why instanceof CertificateException
                || (why instanceof SSLException
                        && String.valueOf(why.getMessage())
                                .toLowerCase(Locale.ROOT)
                                .contains("certif"));
    }
}
