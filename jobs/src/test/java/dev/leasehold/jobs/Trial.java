package dev.leasehold.jobs;

import dev.leasehold.Leases;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.EngineContext;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.Timers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One machine in virtual time with its dependencies, each of which can fail at its n-th use. When
 * the fault is over, the machine must work as before; {@link #complaints} lists where it does not.
 */
final class Trial {
    /** What a fault can hit. */
    enum Point {
        /** A call to the store or its register that has no effect. */
        STORE,
        /** A call to the store or its register that takes effect and whose answer is lost. */
        STORE_REPLY,
        /** The executor refuses the task. */
        EXECUTOR,
        /** The executor throws, but has kept the task and runs it later. */
        EXECUTOR_KEEPS,
        LISTENER,
        WORK,
        /** A wait of the engine before a retry. */
        WAIT,
        /** The timer for the next pass cannot be set. */
        TIMER
    }

    /** What happens at the point. Most failures throw, one interrupts the thread. */
    @FunctionalInterface
    interface Failure {
        void happen() throws Throwable;
    }

    /**
     * @param at the use of the point that fails, from 1; later ones fail too, until {@code lasting}
     *     has passed
     */
    record Fault(Point point, int at, Duration lasting, Failure failure) {}

    private static final Instant START = Instant.parse("2026-01-01T00:00:10Z");
    /**
     * The first slot that must be on time again. Everything that the faults delayed is over
     * by then.
     */
    private static final Instant RECOVERED_FROM = Instant.parse("2026-01-01T00:05:00Z");

    private static final Instant END = Instant.parse("2026-01-01T00:06:50Z");
    private static final Duration ON_TIME = Duration.ofSeconds(3);
    /**
     * Work notices an interrupt within this time. A leftover of a fault would delay a stop
     * much longer.
     */
    private static final Duration SLICE = Duration.ofSeconds(5);

    private static final Duration STOPPED_WITHIN = SLICE.plusSeconds(3);

    final JobsWorld world = new JobsWorld(START.toString());
    private final TrialPlan scenario;
    private final List<Fault> faults;
    private final Map<Point, Integer> uses = new EnumMap<>(Point.class);
    private final Map<Fault, Instant> brokenUntil = new HashMap<>();
    private final List<String> hit = new ArrayList<>();
    private final List<Throwable> inTimers = new ArrayList<>();
    private final Map<String, Instant> started = new TreeMap<>();
    private final Jobs jobs;
    private boolean over;

    Trial(TrialPlan scenario, Fault... faults) {
        this.scenario = scenario;
        this.faults = List.of(faults);
        world.threads.slice = SLICE;
        TrialTimers timers = new TrialTimers();
        Leases leases = Leases.over(proxy(LeaseStore.class, world.store))
                .context(new EngineContext(world.manual.ticker(), timers, world.manual.ids()))
                .holder(Holder.of("m1"))
                .build();
        Jobs.Builder builder = Jobs.over(leases)
                .listener(new Listener())
                .parallel(scenario.parallel())
                .executor(task -> execute(timers, task));
        scenario.jobs(this).forEach(builder::job);
        jobs = builder.start();
    }

    /** How often the point was used while faults could start. */
    int uses(Point point) {
        return uses.getOrDefault(point, 0);
    }

    /** The calls that the faults hit. */
    String hit() {
        return String.join(", ", hit);
    }

    /** Runs until all faults are over. */
    Trial run() {
        world.manual.advance(Duration.between(world.now(), END));
        return this;
    }

    /** Everything that does not work as before the fault. */
    List<String> complaints() {
        List<String> complaints = new ArrayList<>();
        for (Instant slot = RECOVERED_FROM; slot.isBefore(END); slot = slot.plusSeconds(60)) {
            for (String job : scenario.names()) {
                Instant at = started.get(job + "@" + slot);
                if (at == null) {
                    complaints.add(job + "@" + JobsWorld.time(slot) + " was not run");
                } else if (at.isAfter(slot.plus(ON_TIME))) {
                    complaints.add(job + "@" + JobsWorld.time(slot) + " was late, at " + JobsWorld.time(at));
                }
            }
        }
        if (!scenario.alwaysBusy()) {
            heldLeases().forEach(held -> complaints.add(held + " while nothing runs"));
        }
        Instant before = world.now();
        stop();
        if (Duration.between(before, world.now()).compareTo(STOPPED_WITHIN) > 0) {
            complaints.add("an immediate stop took until " + JobsWorld.time(world.now()));
        }
        heldLeases().forEach(held -> complaints.add(held + " by a machine that was stopped"));
        world.threads.escaped.forEach(e -> complaints.add("a thread was ended by " + e));
        inTimers.forEach(e -> complaints.add("a timer was hit by " + e));
        return complaints;
    }

    private void stop() {
        over = true;
        try {
            jobs.stop(Duration.ZERO);
        } catch (InterruptedException e) {
            throw new AssertionError("unexpected interrupt", e);
        }
    }

    private List<String> heldLeases() {
        List<String> held = new ArrayList<>();
        for (LeaseSnapshot lease : world.store.list("", "", 100)) {
            if (!lease.isFree()) {
                held.add("lease " + lease.lease().name() + " is held, token "
                        + lease.lease().token());
            }
        }
        return held;
    }

    /** The work of the scenarios: records its start and takes a while. */
    Job.Work work(Duration takes) {
        return run -> {
            started.putIfAbsent(run.slot().key(), world.now());
            world.sleep(takes.dividedBy(2));
            use(Point.WORK, "the work of " + run.slot());
            run.checkpoint("half");
            world.sleep(takes.dividedBy(2));
        };
    }

    /** Counts one use of a point, and throws if this use fails. */
    private void use(Point point, String what) {
        if (over) {
            return;
        }
        boolean open = world.now().isBefore(scenario.faultsUntil());
        int count = uses.merge(point, open ? 1 : 0, Integer::sum);
        for (Fault fault : faults) {
            if (fault.point != point) {
                continue;
            }
            if (open
                    && count == fault.at
                    && brokenUntil.putIfAbsent(fault, world.now().plus(fault.lasting)) == null) {
                hit.add(what);
                inject(fault);
            } else if (brokenUntil.getOrDefault(fault, Instant.MIN).isAfter(world.now())) {
                inject(fault);
            }
        }
    }

    private static void inject(Fault fault) {
        try {
            fault.failure.happen();
        } catch (Throwable e) {
            throw Trial.<RuntimeException>unchecked(e);
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> T unchecked(Throwable e) throws T {
        throw (T) e;
    }

    private void execute(Timers timers, Runnable task) {
        use(Point.EXECUTOR, "the executor");
        timers.run(Timers.Lane.CALLBACK, () -> world.threads.run(task));
        use(Point.EXECUTOR_KEEPS, "the executor, which kept the task");
    }

    private <T> T proxy(Class<T> type, T to) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> call(to, method, args)));
    }

    private Object call(Object to, Method method, Object[] args) throws Throwable {
        if (method.getName().equals("register")) {
            return proxy(CasRegister.class, world.store.register());
        }
        if (method.getName().equals("id")) {
            return world.store.id();
        }
        String what = method.getName() + (args == null ? "" : " " + args[0]);
        use(Point.STORE, what);
        try {
            Object answer = method.invoke(to, args);
            use(Point.STORE_REPLY, what);
            return answer;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private final class TrialTimers implements Timers {
        @Override
        public Runnable after(Duration delay, Runnable task) {
            // The heartbeat sets timers, too. Other tests cover it.
            boolean agenda = task.getClass().getName().contains("Agenda");
            if (agenda) {
                use(Point.TIMER, "the timer of the agenda");
            }
            return world.manual.timers().after(delay, () -> guarded(task, agenda));
        }

        @Override
        public void run(Lane lane, Runnable task) {
            world.manual.timers().run(lane, () -> guarded(task, lane == Lane.CALLBACK));
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            use(Point.WAIT, "a wait of " + duration);
            world.threads.sleep(duration);
        }

        @Override
        public void close() {}

        private void guarded(Runnable task, boolean ours) {
            try {
                task.run();
            } catch (Throwable e) {
                if (ours) {
                    inTimers.add(e);
                }
            }
        }
    }

    private final class Listener implements JobListener {
        @Override
        public void started(Slot slot, Grant grant, int attempt) {
            use(Point.LISTENER, "started " + slot);
        }

        @Override
        public void ended(Job job, Outcome outcome) {
            use(Point.LISTENER, "ended " + job.name() + "@" + outcome.from());
        }

        @Override
        public void again(Slot slot, EndedAttempt ended) {
            use(Point.LISTENER, "again " + slot);
        }

        @Override
        public void replaced(Slot slot) {
            use(Point.LISTENER, "replaced " + slot);
        }

        @Override
        public void trouble(Job job, String what) {
            use(Point.LISTENER, "trouble " + job.name());
        }
    }
}
