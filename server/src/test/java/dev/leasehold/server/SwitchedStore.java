package dev.leasehold.server;

import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/** A store that can be made to fail or to hang, and to answer again. */
final class SwitchedStore {
    private static final Set<String> HARMLESS = Set.of("id", "register", "atomicBecause", "warnings", "close");

    private final LeaseStore real;
    private volatile boolean down;
    private volatile CountDownLatch hanging = new CountDownLatch(0);

    SwitchedStore(LeaseStore real) {
        this.real = real;
    }

    LeaseStore store() {
        return proxy(LeaseStore.class, real);
    }

    void fail() {
        down = true;
    }

    void hang() {
        hanging = new CountDownLatch(1);
    }

    void answer() {
        down = false;
        hanging.countDown();
    }

    private <T> T proxy(Class<T> type, T behind) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> {
            if (!HARMLESS.contains(method.getName())) {
                hanging.await();
                if (down) {
                    throw new StoreUnavailableException("the disk is gone");
                }
            }
            try {
                Object result = method.invoke(behind, args);
                return result instanceof CasRegister register ? proxy(CasRegister.class, register) : result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }
}
