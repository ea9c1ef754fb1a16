package dev.leasehold.zookeeper;

import dev.leasehold.internal.ClusterUrl;
import dev.leasehold.internal.http.TlsFailure;
import dev.leasehold.internal.http.TrustedCertificates;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import javax.net.ssl.SSLSocket;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;

/**
 * Connections with TLS. ZooKeeper's client makes them with Netty, and checks the host of the certificate; for a host that
 * is written as an address, it also accepts the name that the DNS has for it.
 */
final class ZooKeeperTls {
    private static final int CONNECT_MILLIS = 2_000;

    /** A busy server takes its time for a handshake; one without TLS closes the connection at once. */
    private static final int HANDSHAKE_MILLIS = 10_000;

    private ZooKeeperTls() {}

    static void configure(ZKClientConfig config, ClusterUrl address) {
        String certificates = address.certificates();
        if (certificates == null) {
            return;
        }
        // ZooKeeper's client would only log that it cannot read them.
        TrustedCertificates.of(certificates);
        config.setProperty("zookeeper.client.secure", "true");
        config.setProperty("zookeeper.clientCnxnSocket", "org.apache.zookeeper.ClientCnxnSocketNetty");
        config.setProperty("zookeeper.ssl.trustStore.location", certificates);
        config.setProperty("zookeeper.ssl.trustStore.type", "PEM");
        config.setProperty("zookeeper.ssl.hostnameVerification", "true");
    }

    /** Asks a member that did not answer whether TLS is the reason; null if it is not. */
    static @Nullable String explain(ClusterUrl address) {
        for (String member : address.hosts()) {
            URI host = URI.create("http://" + member);
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(host.getHost(), host.getPort()), CONNECT_MILLIS);
                socket.setSoTimeout(HANDSHAKE_MILLIS);
                String failure = handshake(socket, host, address.certificates());
                if (failure != null) {
                    return failure;
                }
            } catch (IOException e) {
                // It cannot be reached at all.
            }
        }
        return null;
    }

    private static @Nullable String handshake(Socket socket, URI host, @Nullable String certificates) {
        Throwable failure = null;
        try (SSLSocket tls = (SSLSocket) TrustedCertificates.checkingHosts(certificates)
                .getSocketFactory()
                .createSocket(socket, host.getHost(), host.getPort(), true)) {
            tls.startHandshake();
        } catch (IOException e) {
            failure = e;
        }
        if (certificates != null) {
            return TlsFailure.explain(failure, "zookeeper://");
        }
        boolean speaksTls = failure == null || TlsFailure.isAboutCertificate(failure);
        return speaksTls
                ? "speaks only TLS at this port; nothing was changed. Use zookeepers://, with ?ca=file.pem"
                : null;
    }
}
