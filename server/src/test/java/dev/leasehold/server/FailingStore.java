package dev.leasehold.server;

import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;

/** Makes stores of which every call fails, except those that touch nothing. */
final class FailingStore {
    private static final Set<String> HARMLESS = Set.of("id", "register", "atomicBecause", "warnings", "close");

    private FailingStore() {}

    static LeaseStore of(LeaseStore store, RuntimeException failure) {
        return proxy(LeaseStore.class, store, failure);
    }

    private static <T> T proxy(Class<T> type, T real, RuntimeException failure) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> {
            if (!HARMLESS.contains(method.getName())) {
                throw failure;
            }
            try {
                Object result = method.invoke(real, args);
                return result instanceof CasRegister register ? proxy(CasRegister.class, register, failure) : result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }
}
