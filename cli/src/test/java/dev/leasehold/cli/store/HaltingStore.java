package dev.leasehold.cli.store;

import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.OutgoingStore;
import dev.leasehold.spi.StoreProvider;
import dev.leasehold.store.FileLeaseStore;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A file store for a command in another process: it halts at one call until the test lets it go on. The variable
 * {@code HALT_AT} names the method and how its first argument starts, as in {@code read runs/b}.
 */
public final class HaltingStore implements StoreProvider {
    private static final String HALTED = "halted";
    private static final String GO_ON = "go-on";

    static boolean isHalted(Path directory) {
        return Files.exists(directory.resolve(HALTED));
    }

    static void goOn(Path directory) throws IOException {
        Files.createFile(directory.resolve(GO_ON));
    }

    @Override
    public List<String> schemes() {
        return List.of("halting");
    }

    @Override
    public LeaseStore open(String url) {
        return halting(
                LeaseStore.class, FileLeaseStore.open(place(url)), place(url).getParent());
    }

    @Override
    public LeaseStore create(String url) {
        return open(url);
    }

    @Override
    public OutgoingStore moveAway(String url, String to) {
        return halting(
                OutgoingStore.class,
                FileLeaseStore.moveAway(place(url), to),
                place(url).getParent());
    }

    private static Path place(String url) {
        return Path.of(url.substring(url.indexOf(':') + 1));
    }

    private static <T> T halting(Class<T> type, T real, Path directory) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> {
            if (call(method, args).startsWith(System.getenv("HALT_AT"))) {
                halt(directory);
            }
            try {
                Object result = method.invoke(real, args);
                return result instanceof CasRegister register
                        ? halting(CasRegister.class, register, directory)
                        : result instanceof LeaseStore store ? halting(LeaseStore.class, store, directory) : result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    private static String call(Method method, Object[] args) {
        return method.getName() + (args == null || args.length == 0 ? "" : " " + args[0]);
    }

    private static void halt(Path directory) throws IOException {
        if (!isHalted(directory)) {
            Files.createFile(directory.resolve(HALTED));
        }
        while (!Files.exists(directory.resolve(GO_ON))) {
            LockSupport.parkNanos(10_000_000L);
        }
    }
}
