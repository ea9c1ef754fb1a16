package dev.leasehold.aws;

import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.StoreProvider;
import dev.leasehold.store.CasLeaseStore;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

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
        return over(DynamoDbClient.connect(url), false);
    }

    @Override
    public LeaseStore create(String url) {
        return over(DynamoDbClient.connect(url), true);
    }

    private static LeaseStore over(DynamoDbClient client, boolean create) {
        boolean opened = false;
        try {
            if (create) {
                requireTable(client);
            }
            DynamoDbRegister register = new DynamoDbRegister(client);
            String place = "table '" + client.table() + "' under '" + client.namespace() + "'";
            LeaseStore store = create ? CasLeaseStore.over(register) : CasLeaseStore.open(register, place);
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
