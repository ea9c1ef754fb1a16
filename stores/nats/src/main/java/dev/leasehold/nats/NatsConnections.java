package dev.leasehold.nats;

import dev.leasehold.internal.ClusterUrl;
import dev.leasehold.internal.http.TrustedCertificates;
import dev.leasehold.model.StoreUnavailableException;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.time.Duration;

/** Opens and closes connections, and waits for answers. */
final class NatsConnections {
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(100);

    private NatsConnections() {}

    /** @param failures hears what the server says beside the calls, as long as the connection is open */
    static Connection open(ClusterUrl address, LastFailure failures) {
        Options.Builder options = new Options.Builder()
                .connectionName("leasehold")
                .connectionTimeout(address.timeout())
                .reconnectWait(BETWEEN_TRIES)
                .maxReconnects(-1)
                // Its messages would go to the log of the application; the store reports failures itself.
                .errorListener(failures);
        for (String server : address.hosts()) {
            options.server((address.tls() ? "tls://" : "nats://") + server);
        }
        if (address.tls()) {
            // A certificate names the host, not the address that was found for it.
            options.hostnameResolveMode(Options.HostnameResolveMode.HappyEyeballs)
                    .sslContext(TrustedCertificates.checkingHosts(address.certificates()));
        }
        if (address.user() != null && address.password() != null) {
            options.userInfo(address.user().toCharArray(), address.password().toCharArray());
        }
        try {
            return uninterrupted(() -> Nats.connect(options.build()));
        } catch (IOException e) {
            throw new StoreUnavailableException("NATS at " + address + " " + failures.explain(e, address), e);
        } catch (JetStreamApiException e) {
            throw new IllegalStateException("to connect is no call of JetStream", e);
        }
    }

    static JetStreamOptions streamOptions(ClusterUrl address) {
        return JetStreamOptions.builder().requestTimeout(address.timeout()).build();
    }

    /** A call to the server. */
    interface Call<T> {
        T get() throws IOException, JetStreamApiException, InterruptedException;
    }

    /** Waits through interrupts: a thread that is told to stop must still be able to give its lease back. */
    static <T> T uninterrupted(Call<T> call) throws IOException, JetStreamApiException {
        boolean interrupted = Thread.interrupted();
        try {
            return call.get();
        } catch (InterruptedException e) {
            interrupted = true;
            throw new IOException("the wait for the answer was interrupted", e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static void close(Connection connection) {
        try {
            connection.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
