package dev.leasehold.zookeeper;

import dev.leasehold.model.StoreId;
import dev.leasehold.spi.IncomingStore;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.OutgoingStore;
import dev.leasehold.spi.StoreProvider;
import dev.leasehold.store.CasLeaseStore;
import java.util.List;
import java.util.function.Function;

/** Opens {@code zookeeper://} and {@code zookeepers://} stores. */
public final class ZooKeeperStoreProvider implements StoreProvider {
    @Override
    public List<String> schemes() {
        return List.of("zookeeper", "zookeepers");
    }

    @Override
    public LeaseStore open(String url) {
        return using(url, register -> CasLeaseStore.open(register, register.toString()));
    }

    @Override
    public LeaseStore create(String url) {
        return using(url, register -> {
            register.createRoot();
            return CasLeaseStore.over(register);
        });
    }

    @Override
    public OutgoingStore moveAway(String url, String to) {
        return using(url, register -> CasLeaseStore.moveAway(register, register.toString(), to));
    }

    @Override
    public IncomingStore receive(String url, StoreId id) {
        return using(url, register -> {
            register.createRoot();
            return CasLeaseStore.receive(register, register.toString(), id);
        });
    }

    private static <T> T using(String url, Function<ZooKeeperRegister, T> opening) {
        ZooKeeperRegister register = ZooKeeperRegister.connect(url);
        try {
            return opening.apply(register);
        } catch (RuntimeException e) {
            register.close();
            throw e;
        }
    }
}
