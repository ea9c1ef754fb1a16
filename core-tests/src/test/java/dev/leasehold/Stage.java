package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Trouble.Place;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreId;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.EngineContext;
import dev.leasehold.spi.Intervention;
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

/** One process in virtual time, whose every step out of the engine is a point at which {@link Trouble} may begin. */
final class Stage {
    static final LeaseName JOB = EngineWorld.JOB;
    static final Duration TTL = EngineWorld.TERMS.ttl();
    /** About one a second for a lease that cannot be renewed, and far fewer in good times. */
    private static final int MOST_CALLS = 200;

    final Trouble trouble;
    final ManualContext manual = new ManualContext();
    final MemoryLeaseStore memory = new MemoryLeaseStore(StoreId.of("store-0001"), manual.clock());
    final Timers timers = new TroubledTimers();
    final LeaseStore store = troubled(LeaseStore.class, memory);
    final Leases leases;
    final List<String> events = new ArrayList<>();
    /** Whether the store can wake those who wait. */
    private final boolean watches;

    private int openWatches;
    private int rivals;

    Stage(Trouble trouble, boolean watches) {
        this.trouble = trouble;
        this.watches = watches;
        EngineContext context = new EngineContext(
                () -> {
                    trouble.reach(Place.CLOCK, "read");
                    return manual.ticker().read();
                },
                timers,
                manual.ids());
        leases = Leases.over(store)
                .context(context)
                .holder(Holder.of("us"))
                .terms(EngineWorld.TERMS)
                .listener(listener())
                .build();
    }

    void advance(Duration duration) {
        manual.advance(duration);
    }

    Acquisition rivalAcquires(Duration ttl) {
        return memory.acquire(JOB, AttemptId.of("rival-attempt-" + ++rivals), Holder.of("rival"), ttl);
    }

    void rivalTakesOver() {
        memory.intervene(Intervention.takeover(
                JOB, AttemptId.of("rival-attempt-" + ++rivals), Holder.of("rival"), TTL, Note.of("because")));
    }

    long count(String event) {
        return events.stream().filter(event::equals).count();
    }

    /** The process goes on without trouble, and holds nothing: it must not behave as if it did. */
    void requireNothingLeft() throws ReflectiveOperationException {
        trouble.end();
        int renewals = calls("renew");
        assertThat(renewals).as("renewals: a store in trouble is not stormed").isLessThan(MOST_CALLS);
        assertThat(calls("inspect"))
                .as("questions: a store in trouble is not stormed")
                .isLessThan(MOST_CALLS);
        advance(TTL);
        assertThat(calls("renew")).as("renewals of a lease that nobody holds").isEqualTo(renewals);
        assertThat(rivalAcquires(TTL)).as("what a rival gets after one ttl").isInstanceOf(Acquisition.Granted.class);
        assertThat(openWatches).as("watches that were not closed").isZero();
        assertThat(manual.timers().pending()).as("timers that were left").isZero();
        assertThat((Set<?>) field(field(leases, "heartbeat"), "leases"))
                .as("leases that are still watched")
                .isEmpty();
    }

    private static Object field(Object owner, String name) throws ReflectiveOperationException {
        var field = owner.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(owner);
    }

    private int calls(String method) {
        return (int) trouble.reached(Place.BEFORE_STORE).stream()
                .filter(method::equals)
                .count();
    }

    private <T> T troubled(Class<T> type, T real) {
        InvocationHandler handler = (proxy, method, args) -> {
            if (method.getName().equals("register")) {
                return troubled(CasRegister.class, (CasRegister) invoke(method, real, args));
            }
            if (method.getName().equals("watch")) {
                return watch();
            }
            trouble.reach(Place.BEFORE_STORE, method.getName());
            Object answer = invoke(method, real, args);
            trouble.reach(Place.AFTER_STORE, method.getName());
            return answer;
        };
        return type.cast(Proxy.newProxyInstance(Stage.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static Object invoke(Method method, Object real, Object[] args) throws Throwable {
        try {
            return method.invoke(real, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private Optional<Watch> watch() {
        trouble.reach(Place.BEFORE_STORE, "watch");
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
                trouble.reach(Place.WATCH_CLOSE, "close");
            }
        });
    }

    private LeaseListener listener() {
        return (LeaseListener) Proxy.newProxyInstance(
                Stage.class.getClassLoader(), new Class<?>[] {LeaseListener.class}, (proxy, method, args) -> {
                    events.add(method.getName());
                    trouble.reach(Place.LISTENER, method.getName());
                    return null;
                });
    }

    /** Told of losses, and may fail as any user's code. */
    void watchOver(Lease lease, String event) {
        lease.onLost(loss -> {
            events.add(event);
            trouble.reach(Place.USER, event);
        });
    }

    /** As in production, a task that throws ends neither its thread nor the others. */
    private final class TroubledTimers implements Timers {
        @Override
        public Runnable after(Duration delay, Runnable task) {
            trouble.reach(Place.TIMER, "after");
            return manual.timers().after(delay, guarded(task));
        }

        @Override
        public void run(Lane lane, Runnable task) {
            trouble.reach(Place.LANE, lane.toString());
            manual.timers().run(lane, guarded(task));
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            trouble.reach(Place.WAIT, "sleep " + duration);
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
                    assertThat(trouble.explains(e))
                            .as("what a task threw: %s", e)
                            .isTrue();
                }
            };
        }
    }
}
