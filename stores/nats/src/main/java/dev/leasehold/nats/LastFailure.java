package dev.leasehold.nats;

import dev.leasehold.internal.ClusterUrl;
import dev.leasehold.internal.http.TlsFailure;
import io.nats.client.AuthenticationException;
import io.nats.client.Connection;
import io.nats.client.ErrorListener;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Why the last try to connect failed. The exception of NATS's client says only that it did. */
final class LastFailure implements ErrorListener {
    private final DeniedRights rights = new DeniedRights();
    private volatile @Nullable Throwable cause;

    @Override
    public void exceptionOccurred(Connection connection, Exception e) {
        cause = e;
    }

    @Override
    public void errorOccurred(Connection connection, String error) {
        rights.note(error);
    }

    /** What the server said since about calls that it did not permit. */
    DeniedRights rights() {
        return rights;
    }

    String explain(IOException e, ClusterUrl address) {
        if (e instanceof AuthenticationException) {
            return "rejects this user or password; nothing was changed. Correct both in the store URL;"
                    + " docs/credentials.md lists the places for a password";
        }
        Throwable known = cause == null ? e : cause;
        String tls = TlsFailure.explain(known, "nats://");
        if (tls != null) {
            return tls;
        }
        String said = String.valueOf(known.getMessage());
        if (said.contains("wanted by client")) {
            return "does not speak TLS at this port; nothing was sent. Use nats:// or the port with TLS";
        }
        if (said.contains("required by server")) {
            return "speaks only TLS at this port; nothing was sent. Use natss://, with ?ca=file.pem for your own"
                    + " authority";
        }
        String unknown = address.unknownHosts();
        return unknown == null
                ? "cannot be reached (" + said + "); nothing was sent. Check the address and the network"
                : unknown;
    }
}
