package dev.leasehold.aws;

import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.ConnectedRegister;
import dev.leasehold.spi.IncomingStore;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.OutgoingStore;
import dev.leasehold.spi.StoreProvider;
import dev.leasehold.store.CasLeaseStore;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;

/** Opens {@code dynamodb://} stores. */
public final class DynamoDbStoreProvider implements StoreProvider {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    @Override
    public List<String> schemes() {
        return List.of("dynamodb");
    }

    @Override
    public LeaseStore open(String url) {
        return using(url, false, (register, place) -> CasLeaseStore.open(register, place));
    }

    @Override
    public LeaseStore create(String url) {
        return using(url, true, (register, place) -> CasLeaseStore.over(register));
    }

    @Override
    public OutgoingStore moveAway(String url, String to) {
        return using(url, false, (register, place) -> CasLeaseStore.moveAway(register, place, to));
    }

    @Override
    public IncomingStore receive(String url, StoreId id) {
        return using(url, true, (register, place) -> CasLeaseStore.receive(register, place, id));
    }

    private static <T> T using(String url, boolean create, BiFunction<ConnectedRegister, String, T> opening) {
        DynamoDbClient client = DynamoDbClient.connect(url);
        boolean opened = false;
        try {
            if (create) {
                requireTable(client);
            }
            String place = "table '" + client.table() + "' under '" + client.namespace() + "'";
            T store = opening.apply(new DynamoDbRegister(client), place);
            opened = true;
            return store;
        } finally {
            if (!opened) {
                client.close();
            }
        }
    }

    private static void requireTable(DynamoDbClient client) {
        if (client.isActive()) {
            return;
        }
        client.createTable();
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (!client.isActive()) {
            if (System.nanoTime() - end > 0) {
                throw new StoreUnavailableException("table '" + client.table()
                        + "' was created, but cannot be used yet. Repeat 'leasehold store init' in a minute");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
