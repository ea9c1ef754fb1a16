package dev.leasehold.server;

import java.io.IOException;
import java.nio.file.attribute.FileTime;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** The certificate of a server. Its files are read again when they change, without a restart. */
final class RenewedCertificate {
    private static final System.Logger LOG = System.getLogger("dev.leasehold");
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(10);

    private final TlsSource files;
    private final SslContextFactory.Server context = new SslContextFactory.Server();
    private List<FileTime> version;

    RenewedCertificate(TlsSource files) throws IOException {
        this.files = files;
        // Read before the files, so that a change in between is not missed.
        this.version = files.version();
        use(context, files.read());
    }

    SslContextFactory.Server context() {
        return context;
    }

    void lookNowAndThen(ServerClock clock) {
        clock.every(BETWEEN_LOOKS, this::look);
    }

    /** A file that is being replaced at this moment is read at the next look. */
    @SuppressWarnings("CatchingUnchecked")
    void look() {
        try {
            List<FileTime> now = files.version();
            if (!now.equals(version)) {
                KeyStore changed = files.read();
                context.reload(factory -> use(factory, changed));
                version = now;
            }
        } catch (Exception e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the certificate has changed and cannot be used; the previous one stays in force: "
                            + e.getMessage());
        }
    }

    private static void use(SslContextFactory factory, KeyStore store) {
        factory.setKeyStore(store);
        factory.setKeyStorePassword(new String(TlsSource.PASSWORD));
    }
}
