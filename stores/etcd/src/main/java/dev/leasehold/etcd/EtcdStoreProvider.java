package dev.leasehold.etcd;

import dev.leasehold.model.StoreId;
import dev.leasehold.spi.IncomingStore;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.OutgoingStore;
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
        return using(url, register -> {
            register.requireNoNesting();
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
            register.requireNoNesting();
            return CasLeaseStore.receive(register, register.toString(), id);
        });
    }

    private static <T> T using(String url, Function<EtcdRegister, T> opening) {
        EtcdRegister register = new EtcdRegister(EtcdClient.connect(url));
        try {
            return opening.apply(register);
        } catch (RuntimeException e) {
            register.close();
            throw e;
        }
    }
}
