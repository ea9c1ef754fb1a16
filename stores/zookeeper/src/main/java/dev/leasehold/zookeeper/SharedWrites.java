package dev.leasehold.zookeeper;

import dev.leasehold.internal.Combiner;
import dev.leasehold.internal.Pending;
import dev.leasehold.model.StoreUnavailableException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Versioned writes of callers that come at the same moment, as one transaction: one request, and one write of the
 * server's log. If one of them is out of date, the transaction changes nothing, and each write is sent alone.
 *
 * <p>A write whose outcome is unknown must not be sent again: it would fail because of its own effect. So an unknown
 * outcome of the transaction is the answer to each of its writes. Safe for use by many threads.
 */
final class SharedWrites {
    /** The server accepts requests of a megabyte. */
    private static final int MOST_BYTES = 500_000;

    private static final int MOST = 128;

    private static final Combiner.Lanes LANES = new Combiner.Lanes(2, 1);

    static final class Write {
        private final String path;
        private final byte[] data;
        private final int version;

        /** @param version that the znode must have */
        Write(String path, byte[] data, int version) {
            this.path = path;
            this.data = data;
            this.version = version;
        }
    }

    /** @param failure why a write was not made, or why it is unknown whether it was; null if it was made */
    private record Answer(@Nullable Exception failure) {
        static final Answer MADE = new Answer(null);
    }

    private final ZooKeeperSession session;
    private final Combiner<Write, Answer> combiner =
            new Combiner<>(MOST, LANES, write -> write.path, this::together, this::alone);

    SharedWrites(ZooKeeperSession session) {
        this.session = session;
    }

    /**
     * Makes the write.
     *
     * @throws KeeperException if nothing was changed
     * @throws StoreUnavailableException if it is unknown whether it took effect
     */
    void make(Write write) throws KeeperException {
        Exception failure = combiner.ask(write).failure;
        if (failure instanceof KeeperException refused) {
            throw KeeperException.create(refused.code(), refused.getPath());
        }
        if (failure != null) {
            throw new StoreUnavailableException(String.valueOf(failure.getMessage()), failure);
        }
    }

    private Answer alone(Write write) {
        try {
            session.<Stat>write((client, answer) -> client.setData(
                    write.path,
                    write.data,
                    write.version,
                    (code, path, context, stat) -> answer.complete(code, path, stat),
                    null));
            return Answer.MADE;
        } catch (KeeperException e) {
            return new Answer(e);
        }
    }

    private void together(List<Pending<Write, Answer>> requests) {
        List<Pending<Write, Answer>> part = new ArrayList<>(requests.size());
        Set<String> paths = new HashSet<>();
        int bytes = 0;
        for (Pending<Write, Answer> each : requests) {
            Write write = each.request();
            // A second write of a znode has to see the first, so it is left to its caller.
            if (paths.add(write.path)) {
                if (bytes + write.data.length > MOST_BYTES) {
                    transact(part);
                    part.clear();
                    bytes = 0;
                }
                part.add(each);
                bytes += write.data.length;
            }
        }
        transact(part);
    }

    private void transact(List<Pending<Write, Answer>> requests) {
        List<Op> operations = new ArrayList<>(requests.size());
        for (Pending<Write, Answer> each : requests) {
            Write write = each.request();
            operations.add(Op.setData(write.path, write.data, write.version));
        }
        try {
            session.<List<?>>write((client, answer) -> client.multi(
                    operations, (code, path, context, results) -> answer.complete(code, path, results), null));
            requests.forEach(each -> each.answer(Answer.MADE));
        } catch (KeeperException e) {
            // Nothing was changed. Each caller sends its own write and finds out what is wrong with it.
        } catch (RuntimeException e) {
            requests.forEach(each -> each.answer(new Answer(e)));
        } catch (Error e) {
            requests.forEach(
                    each -> each.answer(new Answer(new IllegalStateException("the transaction was cut short", e))));
            throw e;
        }
    }
}
