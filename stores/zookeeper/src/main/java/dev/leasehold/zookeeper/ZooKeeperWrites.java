package dev.leasehold.zookeeper;

import dev.leasehold.internal.SharedWrites;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.data.Stat;

/**
 * Versioned writes. Those that come at the same moment are one transaction: one request, and one write of the server's
 * log. If one of them is out of date, the transaction changes nothing, and each write is sent alone.
 */
final class ZooKeeperWrites {
    private static final class Write implements SharedWrites.Write {
        private final String path;
        private final byte[] data;
        private final int version;

        Write(String path, byte[] data, int version) {
            this.path = path;
            this.data = data;
            this.version = version;
        }

        @Override
        public String key() {
            return path;
        }

        @Override
        public int bytes() {
            return path.length() + data.length;
        }
    }

    private final ZooKeeperSession session;

    /** The answer to a write is why it was refused; empty if it was made. */
    private final SharedWrites<Write, Optional<KeeperException>> writes =
            new SharedWrites<>(this::together, this::alone);

    ZooKeeperWrites(ZooKeeperSession session) {
        this.session = session;
    }

    /**
     * Writes a znode that has this version.
     *
     * @throws KeeperException if nothing was changed
     */
    void set(String path, byte[] data, int version) throws KeeperException {
        Optional<KeeperException> refusal = writes.make(new Write(path, data, version));
        if (refusal.isPresent()) {
            throw refusal.get();
        }
    }

    private Optional<KeeperException> alone(Write write) {
        try {
            session.<Stat>write((client, answer) -> client.setData(
                    write.path,
                    write.data,
                    write.version,
                    (code, path, context, stat) -> answer.complete(code, path, stat),
                    null));
            return Optional.empty();
        } catch (KeeperException e) {
            return Optional.of(e);
        }
    }

    private List<Optional<Optional<KeeperException>>> together(List<Write> requests) {
        List<Op> operations = new ArrayList<>(requests.size());
        requests.forEach(write -> operations.add(Op.setData(write.path, write.data, write.version)));
        try {
            session.<List<?>>write((client, answer) -> client.multi(
                    operations, (code, path, context, results) -> answer.complete(code, path, results), null));
            return Collections.nCopies(requests.size(), Optional.of(Optional.empty()));
        } catch (KeeperException e) {
            return List.of();
        }
    }
}
