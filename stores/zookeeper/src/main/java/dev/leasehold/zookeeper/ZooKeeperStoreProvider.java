package dev.leasehold.zookeeper;

import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.StoreProvider;
import dev.leasehold.store.CasLeaseStore;
import java.util.List;
import java.util.function.Function;

/** Opens {@code zookeeper://} stores. */
public final class ZooKeeperStoreProvider implements StoreProvider {
    @Override
    public List<String> schemes() {
        return List.of("zookeeper");
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

    private static LeaseStore using(String url, Function<ZooKeeperRegister, LeaseStore> opening) {
        ZooKeeperRegister register = ZooKeeperRegister.connect(url);
        try {
            return opening.apply(register);
        } catch (RuntimeException e) {
            register.close();
            throw e;
        }
    }
}
