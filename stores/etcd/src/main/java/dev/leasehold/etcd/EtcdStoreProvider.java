package dev.leasehold.etcd;

import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.StoreProvider;
import dev.leasehold.store.CasLeaseStore;
import java.util.List;
import java.util.function.Function;

/** Opens {@code etcd://} and {@code etcds://} stores. */
public final class EtcdStoreProvider implements StoreProvider {
    @Override
    public List<String> schemes() {
        return List.of("etcd", "etcds");
    }

    @Override
    public LeaseStore open(String url) {
        return using(url, register -> CasLeaseStore.open(register, register.toString()));
    }

    @Override
    public LeaseStore create(String url) {
        return using(url, CasLeaseStore::over);
    }

    private static LeaseStore using(String url, Function<EtcdRegister, LeaseStore> opening) {
        EtcdRegister register = new EtcdRegister(EtcdClient.connect(url));
        try {
            return opening.apply(register);
        } catch (RuntimeException e) {
            register.close();
            throw e;
        }
    }
}
