package dev.leasehold.jobs;

import dev.leasehold.LeaseCounters;
import dev.leasehold.Leases;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.EngineContext;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.Timers;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.testkit.ManualClock;
import dev.leasehold.testkit.ManualContext;
import dev.leasehold.testkit.ManualIds;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Machines that share a store, in virtual time, which advances only when a test says so. */
public final class JobsWorld {
    public static final LeaseName JOB = LeaseName.of("job");

    public final ManualContext manual;
    final VirtualThreads threads;
    final MemoryLeaseStore store;
    final JobRecords records;
    final List<Machine> machines = new ArrayList<>();
    /** Every outcome that a machine recorded, by its first slot. */
    final Map<Instant, List<Outcome>> outcomes = new TreeMap<>();

    final List<String> log = new ArrayList<>();

    /**
     * If set, some calls to the store are delayed, so that the steps of the machines interleave.
     */
    Random delays;

    private Duration startsEvery = Duration.ZERO;

    public JobsWorld(String start) {
        manual = new ManualContext(new ManualClock(Instant.parse(start)), new ManualIds());
        threads = new VirtualThreads(manual.timers());
        store = new MemoryLeaseStore(StoreId.of(manual.ids().unique()), manual.clock());
        records = new JobRecords(store.register());
    }

    /** Lets machines that are started from now on look for jobs that a person started. */
    JobsWorld lookingForStarts(Duration every) {
        startsEvery = every;
        return this;
    }

    Instant now() {
        return manual.clock().instant();
    }

    public void advance(Duration duration) {
        manual.advance(duration);
    }

    /** Advances the clock to this moment. */
    void advanceTo(String instant) {
        manual.advance(Duration.between(now(), Instant.parse(instant)));
    }

    void sleep(Duration duration) throws InterruptedException {
        threads.sleep(duration);
    }

    JobRecord record() {
        return records.read(JOB).orElseThrow().record();
    }

    /** The outcomes in the record, oldest first: {@code 03:00 ran}. */
    List<String> recordedOutcomes() {
        List<String> found = new ArrayList<>();
        for (Outcome outcome : record().outcomes()) {
            found.add(0, time(outcome.from()) + " " + outcome.kind().word());
        }
        return found;
    }

    static String time(Instant instant) {
        return instant.toString().substring(11, instant.toString().endsWith(":00Z") ? 16 : 19);
    }

    /** A job that is due every minute and records its slots, unless the settings change that. */
    static Job job(List<String> ran, Consumer<Job.Builder> settings) {
        Job.Builder builder = Job.named("job")
                .cron("* * * * *")
                .run(run -> ran.add(time(run.slot().at())));
        settings.accept(builder);
        return builder.build();
    }

    Machine machine(Job... jobs) {
        Machine machine = new Machine("m" + (machines.size() + 1));
        machines.add(machine);
        machine.start(jobs);
        return machine;
    }

    /**
     * One machine with its own connection to the store and its own timers, which die and freeze
     * with it.
     */
    final class Machine {
        final String name;
        private final Deque<Runnable> held = new ArrayDeque<>();
        private boolean dead;
        private boolean frozen;
        private boolean cutOff;

        private String slowCall = "";
        private Duration beforeIt = Duration.ZERO;
        private Duration afterIt = Duration.ZERO;

        /** How many calls it made to the store. */
        int calls;

        final LeaseCounters counters = new LeaseCounters();
        Leases leases;
        Jobs jobs;

        Machine(String name) {
            this.name = name;
        }

        private void start(Job... all) {
            MachineTimers timers = new MachineTimers();
            leases = Leases.over(proxy(LeaseStore.class, store))
                    .context(new EngineContext(manual.ticker(), timers, manual.ids()))
                    .holder(Holder.of(name))
                    .listener(counters)
                    .build();
            Jobs.Builder builder = Jobs.over(leases)
                    .listener(new Listener())
                    .lookForStarts(startsEvery)
                    .executor(task -> timers.run(Timers.Lane.CALLBACK, () -> threads.run(task)));
            Arrays.asList(all).forEach(builder::job);
            jobs = builder.start();
        }

        /** From now on its timers do not fire and its calls do not reach the store. */
        void die() {
            dead = true;
            cutOff = true;
        }

        void setCutOff(boolean value) {
            cutOff = value;
        }

        /**
         * Delays its next call of this name before it reaches the store, and its answer afterwards.
         */
        void slowDownNext(String call, Duration before, Duration after) {
            slowCall = call;
            beforeIt = before;
            afterIt = after;
        }

        void freeze() {
            frozen = true;
        }

        void thaw() {
            frozen = false;
            while (!held.isEmpty()) {
                held.remove().run();
            }
        }

        private void whenAwake(Runnable task) {
            if (frozen && !dead) {
                held.add(task);
            } else if (!dead) {
                task.run();
            }
        }

        private <T> T proxy(Class<T> type, T to) {
            return type.cast(Proxy.newProxyInstance(
                    type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> call(to, method, args)));
        }

        private Object call(Object to, Method method, Object[] args) throws Throwable {
            calls++;
            boolean slow = method.getName().equals(slowCall);
            if (slow) {
                slowCall = "";
                threads.sleep(beforeIt);
            }
            if (delays != null && delays.nextInt(6) == 0) {
                threads.sleep(Duration.ofMillis(delays.nextInt(40)));
            }
            if (cutOff) {
                throw new StoreUnavailableException(name + " is cut off");
            }
            try {
                Object answer = method.invoke(to, args);
                if (slow) {
                    threads.sleep(afterIt);
                }
                return answer instanceof CasRegister register ? proxy(CasRegister.class, register) : answer;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }

        private final class MachineTimers implements Timers {
            @Override
            public Runnable after(Duration delay, Runnable task) {
                return manual.timers().after(delay, () -> whenAwake(task));
            }

            @Override
            public void run(Lane lane, Runnable task) {
                manual.timers().run(lane, () -> whenAwake(task));
            }

            @Override
            public void sleep(Duration duration) throws InterruptedException {
                threads.sleep(duration);
            }

            @Override
            public void close() {}
        }

        private final class Listener implements JobListener {
            @Override
            public void replaced(Slot slot) {
                log.add(name + " " + time(slot.at()) + " replaced");
            }

            @Override
            public void ended(Job job, Outcome outcome) {
                outcomes.computeIfAbsent(outcome.from(), slot -> new ArrayList<>())
                        .add(outcome);
                log.add(name + " " + time(outcome.from()) + " " + outcome.kind().word());
            }

            @Override
            public void again(Slot slot, EndedAttempt ended) {
                EndedAttempt.Retry retry = ended.retry();
                log.add(name + " " + time(slot.at()) + " again: " + ended.kind() + " " + ended.why()
                        + (retry == null
                                ? ""
                                : ", " + retry.number() + " of " + retry.allowed() + " in " + retry.delay()));
            }
        }
    }
}
