package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.InjectedFault.Place;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreId;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.EngineContext;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.Timers;
import dev.leasehold.spi.Watch;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.testkit.ManualContext;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The engine of one process in virtual time. Each call that leaves the engine is a point where a
 * fault can be injected.
 */
final class EngineUnderFault {
    static final LeaseName JOB = EngineFixture.JOB;
    static final Duration TTL = EngineFixture.TERMS.ttl();
    /** About one call a second for a lease that cannot be renewed, and far fewer otherwise. */
    private static final int MOST_CALLS = 200;

    final InjectedFault fault;
    final ManualContext manual = new ManualContext();
    final MemoryLeaseStore memory = new MemoryLeaseStore(StoreId.of("store-0001"), manual.clock());
    final Rival rival = new Rival(memory);
    final Timers timers = new FaultyTimers();
    final LeaseStore store = withFaults(LeaseStore.class, memory);
    final Leases leases;
    final List<String> events = new ArrayList<>();
    /** Whether the store can wake waiting clients. */
    private final boolean watches;

    private int openWatches;

    EngineUnderFault(InjectedFault fault, boolean watches) {
        this.fault = fault;
        this.watches = watches;
        EngineContext context = new EngineContext(
                () -> {
                    fault.reach(Place.CLOCK, "read");
                    return manual.ticker().read();
                },
                timers,
                manual.ids());
        leases = Leases.over(store)
                .context(context)
                .holder(Holder.of("us"))
                .terms(EngineFixture.TERMS)
                .listener(listener())
                .build();
    }

    void advance(Duration duration) {
        manual.advance(duration);
    }

    long count(String event) {
        return events.stream().filter(event::equals).count();
    }

    /** Checks that a process that holds nothing has stopped everything that serves a lease. */
    void requireNothingLeft() throws ReflectiveOperationException {
        fault.end();
        int renewals = calls("renew");
        assertThat(renewals)
                .as("renewals: a failing store is not flooded with calls")
                .isLessThan(MOST_CALLS);
        assertThat(calls("inspect"))
                .as("inspections: a failing store is not flooded with calls")
                .isLessThan(MOST_CALLS);
        advance(TTL);
        assertThat(calls("renew")).as("renewals of a lease that is not held").isEqualTo(renewals);
        assertThat(rival.acquires(TTL)).as("answer to a rival after one ttl").isInstanceOf(Acquisition.Granted.class);
        assertThat(openWatches).as("watches that were not closed").isZero();
        assertThat(manual.timers().pending()).as("timers that still run").isZero();
        assertThat((Set<?>) field(field(leases, "heartbeat"), "leases"))
                .as("leases that the engine still renews")
                .isEmpty();
    }

    private static Object field(Object owner, String name) throws ReflectiveOperationException {
        var field = owner.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(owner);
    }

    private int calls(String method) {
        return (int) fault.reached(Place.BEFORE_STORE).stream()
                .filter(method::equals)
                .count();
    }

    private <T> T withFaults(Class<T> type, T real) {
        InvocationHandler handler = (proxy, method, args) -> {
            if (method.getName().equals("register")) {
                return withFaults(CasRegister.class, (CasRegister) invoke(method, real, args));
            }
            if (method.getName().equals("watch")) {
                return watch();
            }
            fault.reach(Place.BEFORE_STORE, method.getName());
            Object answer = invoke(method, real, args);
            fault.reach(Place.AFTER_STORE, method.getName());
            return answer;
        };
        return type.cast(
                Proxy.newProxyInstance(EngineUnderFault.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static Object invoke(Method method, Object real, Object[] args) throws Throwable {
        try {
            return method.invoke(real, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private Optional<Watch> watch() {
        fault.reach(Place.BEFORE_STORE, "watch");
        if (!watches) {
            return Optional.empty();
        }
        openWatches++;
        return Optional.of(new Watch() {
            @Override
            public void await(Duration atMost) throws InterruptedException {
                timers.sleep(atMost.compareTo(Duration.ofSeconds(2)) < 0 ? atMost : Duration.ofSeconds(2));
            }

            @Override
            public void close() {
                openWatches--;
                fault.reach(Place.WATCH_CLOSE, "close");
            }
        });
    }

    private LeaseListener listener() {
        return (LeaseListener) Proxy.newProxyInstance(
                EngineUnderFault.class.getClassLoader(),
                new Class<?>[] {LeaseListener.class},
                (proxy, method, args) -> {
                    events.add(method.getName());
                    fault.reach(Place.LISTENER, method.getName());
                    return null;
                });
    }

    /** Registers a callback for losses. A fault can make it fail, as any user code can. */
    void watchOver(Lease lease, String event) {
        lease.onLost(loss -> {
            events.add(event);
            fault.reach(Place.USER, event);
        });
    }

    /** As in production, a task that throws ends neither its thread nor other tasks. */
    private final class FaultyTimers implements Timers {
        @Override
        public Runnable after(Duration delay, Runnable task) {
            fault.reach(Place.TIMER, "after");
            return manual.timers().after(delay, guarded(task));
        }

        @Override
        public void run(Lane lane, Runnable task) {
            fault.reach(Place.LANE, lane.toString());
            manual.timers().run(lane, guarded(task));
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            fault.reach(Place.WAIT, "sleep " + duration);
            manual.timers().sleep(duration);
        }

        @Override
        public void close() {
            manual.timers().close();
        }

        private Runnable guarded(Runnable task) {
            return () -> {
                try {
                    task.run();
                } catch (RuntimeException | Error e) {
                    assertThat(fault.explains(e))
                            .as("exception of a task: %s", e)
                            .isTrue();
                }
            };
        }
    }
}
