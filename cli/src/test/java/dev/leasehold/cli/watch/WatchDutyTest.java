package dev.leasehold.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.cli.child.Hook;
import dev.leasehold.cli.output.Console;
import dev.leasehold.events.Alert;
import dev.leasehold.events.Conditions;
import dev.leasehold.events.RunEntry;
import dev.leasehold.events.RunLog;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.store.MemoryLeaseStore;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One watch on duty, over a store that fails at a certain moment. */
class WatchDutyTest {
    @TempDir
    Path folder;

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private int failures;

    /** A store that does not answer when the slots of a job are read, as often as the test says. */
    private LeaseStore failing(LeaseStore store) {
        return proxy(LeaseStore.class, store);
    }

    private <T> T proxy(Class<T> type, T real) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> {
            if (method.getName().equals("read") && String.valueOf(args[0]).startsWith("slots/") && failures > 0) {
                failures--;
                throw new StoreUnavailableException("no answer");
            }
            try {
                Object result = method.invoke(real, args);
                return result instanceof CasRegister register ? proxy(CasRegister.class, register) : result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    @Test
    void anOutageWhileEventsAreSortedLosesNone() throws Exception {
        PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
        Path told = folder.resolve("told");
        Hook hook = new Hook(List.of("sh", "-c", "cat >> " + told), null, Map.of(), Duration.ofSeconds(30));
        try (LeaseStore store = failing(new MemoryLeaseStore());
                Leases leases = Leases.over(store).build();
                Lease lease = leases.tryAcquire(
                                LeaseName.of("main/leasehold-watch"), LeaseTerms.ofTtl(Duration.ofMinutes(5)))
                        .lease()
                        .orElseThrow()) {
            WatchDuty duty = new WatchDuty(
                    store,
                    lease,
                    EnumSet.of(Alert.Kind.FAILED),
                    new Conditions(store, Duration.ofMinutes(1)),
                    hook,
                    new Console(InputStream.nullInputStream(), out, out),
                    () -> false);
            for (String name : List.of("a", "b", "c")) {
                new RunLog(store.register())
                        .append(
                                LeaseName.of(name),
                                new RunEntry(Instant.EPOCH, "failed", null, Holder.of("h"), Duration.ZERO, "exit 1"));
            }
            // Events are two seconds old before they are read.
            Thread.sleep(2500);
            failures = 1;
            assertThat(duty.look()).isTrue();
            assertThat(failures).as("the store failed").isZero();
            for (int i = 0; i < 100 && (!Files.exists(told) || lines(told) < 3); i++) {
                assertThat(duty.look()).isTrue();
                Thread.sleep(100);
            }
        }
        assertThat(Files.readString(told)).contains("\"name\":\"a\"", "\"name\":\"b\"", "\"name\":\"c\"");
    }

    private static long lines(Path file) throws Exception {
        return Files.readString(file).lines().count();
    }
}
