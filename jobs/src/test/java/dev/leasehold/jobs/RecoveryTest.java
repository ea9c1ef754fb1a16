package dev.leasehold.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Leases;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.EngineContext;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.Timers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Failures that once silently ended a job, or all jobs of a machine. {@link FaultSearchTest}
 * searches for others.
 */
class RecoveryTest {
    private static final Logger LOG = Logger.getLogger("dev.leasehold");

    private final JobsWorld world = new JobsWorld("2026-01-01T00:00:10Z");
    private final List<String> ran = new ArrayList<>();
    private final List<String> troubles = new ArrayList<>();

    private boolean acquireFails;
    private boolean removeFails;
    private boolean noThreads;
    private Duration answersTake = Duration.ZERO;
    private JobListener listener = new JobListener() {
        @Override
        public void trouble(Job job, String what) {
            troubles.add(what);
        }
    };

    @BeforeEach
    void silenceLog() {
        LOG.setLevel(Level.OFF);
    }

    @AfterEach
    void restoreLog() {
        LOG.setLevel(null);
    }

    @Test
    void aStoreThatThrowsDoesNotUseUpAWorker() {
        Jobs jobs = start(2, JobsWorld.job(ran, j -> {}));
        world.advanceTo("2026-01-01T00:00:50Z");
        acquireFails = true;
        world.advanceTo("2026-01-01T00:03:50Z");
        assertThat(ran).isEmpty();
        assertThat(troubles).hasSizeGreaterThan(2);

        acquireFails = false;
        world.advanceTo("2026-01-01T00:06:30Z");

        assertThat(ran).endsWith("00:04", "00:05", "00:06");
        jobs.close();
    }

    @Test
    void workThatEndsWithAnErrorFailsAndReleasesItsLease() {
        start(
                2,
                JobsWorld.job(
                        ran,
                        j -> j.run(run -> {
                            ran.add(JobsWorld.time(run.slot().at()));
                            if (ran.size() == 1) {
                                throw new StackOverflowError();
                            }
                        })));

        world.advanceTo("2026-01-01T00:01:30Z");

        assertThat(world.recordedOutcomes()).containsExactly("00:01 failed");
        assertThat(world.record().outcomes().get(0).reason()).isEqualTo("StackOverflowError");
        assertThat(leaseIsFree()).isTrue();
        world.advanceTo("2026-01-01T00:03:30Z");
        assertThat(world.recordedOutcomes()).containsExactly("00:01 failed", "00:02 ran", "00:03 ran");
    }

    @Test
    void aListenerThatThrowsAffectsNothing() {
        listener = new JobListener() {
            @Override
            public void started(Slot slot, Grant grant, int attempt) {
                throw new IllegalStateException("the metrics are down");
            }

            @Override
            public void ended(Job job, Outcome outcome) {
                throw new NoClassDefFoundError("Metrics");
            }
        };
        start(2, JobsWorld.job(ran, j -> {}));

        world.advanceTo("2026-01-01T00:02:30Z");

        assertThat(ran).containsExactly("00:01", "00:02");
        assertThat(world.recordedOutcomes()).containsExactly("00:01 ran", "00:02 ran");
        assertThat(leaseIsFree()).isTrue();
    }

    /** The outcome is recorded; only the clean-up after it fails. */
    @Test
    void aFailureAfterTheEndOfASlotIsNotReportedAsReplacement() {
        List<String> reported = new ArrayList<>();
        listener = new JobListener() {
            @Override
            public void ended(Job job, Outcome outcome) {
                reported.add(
                        JobsWorld.time(outcome.from()) + " " + outcome.kind().word());
            }

            @Override
            public void replaced(Slot slot) {
                reported.add(JobsWorld.time(slot.at()) + " replaced");
            }

            @Override
            public void trouble(Job job, String what) {
                troubles.add(what);
            }
        };
        removeFails = true;
        start(2, JobsWorld.job(ran, j -> {}));

        world.advanceTo("2026-01-01T00:01:30Z");

        assertThat(reported).containsExactly("00:01 ran");
        assertThat(troubles).singleElement().asString().contains("work item", "injected");
    }

    @Test
    void aShortageOfThreadsLosesNoSlot() {
        List<Integer> attempts = new ArrayList<>();
        start(2, JobsWorld.job(ran, j -> j.startWithin(Duration.ofSeconds(30)).run(run -> {
            ran.add(JobsWorld.time(run.slot().at()));
            attempts.add(run.attempt());
        })));
        world.advanceTo("2026-01-01T00:00:59Z");
        noThreads = true;
        world.advanceTo("2026-01-01T00:01:10Z");
        assertThat(ran).isEmpty();
        assertThat(troubles).isNotEmpty().allSatisfy(trouble -> assertThat(trouble)
                .contains("unable to create native thread"));

        noThreads = false;
        world.advanceTo("2026-01-01T00:01:15Z");

        assertThat(ran).containsExactly("00:01");
        assertThat(attempts).containsExactly(1);
        world.advanceTo("2026-01-01T00:02:30Z");
        assertThat(ran).containsExactly("00:01", "00:02");
    }

    /** The pass gets a thread, but the run that it starts gets none. */
    @Test
    void aSlotWhoseRunGetsNoThreadStaysQueued() {
        List<Integer> attempts = new ArrayList<>();
        Job job =
                JobsWorld.job(ran, j -> j.startWithin(Duration.ofSeconds(30)).run(run -> attempts.add(run.attempt())));
        listener = new JobListener() {
            @Override
            public void trouble(Job troubled, String what) {
                troubles.add(what);
                OpenSlot open = world.record().open().get(0);
                ran.add(JobsWorld.time(open.slot()) + " queued " + open.isQueued() + " until "
                        + JobsWorld.time(open.notAfter()) + ", lease free " + leaseIsFree());
            }
        };
        start(1, job);
        world.advanceTo("2026-01-01T00:00:59Z");
        refuseAfter(1);

        world.advanceTo("2026-01-01T00:01:29Z");

        assertThat(ran).containsExactly("00:01 queued true until 00:01:30, lease free true");
        assertThat(troubles.get(0)).contains("job@2026-01-01T00:01:00Z", "unable to create native thread", "again");
        assertThat(attempts).containsExactly(1);
        assertThat(world.recordedOutcomes()).containsExactly("00:01 ran");
    }

    @Test
    void aMachineThatIsStoppedDuringAPassStartsNothingAndHoldsNothing() {
        Jobs jobs = start(1, JobsWorld.job(ran, j -> {}));
        world.advanceTo("2026-01-01T00:00:59Z");
        answersTake = Duration.ofSeconds(5);
        world.manual.timers().after(Duration.ofSeconds(2), () -> stop(jobs));

        world.advanceTo("2026-01-01T00:01:30Z");

        assertThat(ran).isEmpty();
        assertThat(world.record().open()).singleElement().matches(OpenSlot::wasNeverStarted);
        assertThat(leaseIsFree()).isTrue();
    }

    private static void stop(Jobs jobs) {
        try {
            jobs.stop(Duration.ZERO);
        } catch (InterruptedException e) {
            throw new AssertionError("unexpected interrupt", e);
        }
    }

    @Test
    void aRequestForTheTimeThatGetsNoThreadIsRepeated() {
        start(1, JobsWorld.job(ran, j -> j.cron("0 3 * * *")));
        world.advanceTo("2026-01-01T00:10:00Z");
        noThreads = true;
        world.advanceTo("2026-01-01T00:50:00Z");
        noThreads = false;
        world.manual.clock().advance(Duration.ofHours(1));

        world.advanceTo("2026-01-01T03:20:00Z");

        assertThat(ran).containsExactly("03:00");
    }

    /** Without a worker and without a timer, no pass would ever happen. */
    @Test
    void aSchedulerThatGetsNoThreadThrowsAndCanBeStartedLater() {
        Job job = JobsWorld.job(ran, j -> {});
        noThreads = true;
        assertThatThrownBy(() -> start(1, job)).isInstanceOf(RejectedExecutionException.class);

        noThreads = false;
        start(1, job);
        world.advanceTo("2026-01-01T00:01:30Z");

        assertThat(ran).containsExactly("00:01");
    }

    private int tasksLeft = Integer.MAX_VALUE;

    private void refuseAfter(int tasks) {
        tasksLeft = tasks;
    }

    private boolean leaseIsFree() {
        return world.store.inspect(JobsWorld.JOB).map(LeaseSnapshot::isFree).orElse(true);
    }

    private Jobs start(int parallel, Job job) {
        Leases leases =
                Leases.over(store()).context(context()).holder(Holder.of("m1")).build();
        return Jobs.over(leases)
                .job(job)
                .listener(listener)
                .parallel(parallel)
                .executor(this::execute)
                .start();
    }

    /** Once started, the timer thread stays available. */
    private EngineContext context() {
        EngineContext usual = world.manual.context();
        boolean[] started = {false};
        Timers timers = (Timers) Proxy.newProxyInstance(
                Timers.class.getClassLoader(), new Class<?>[] {Timers.class}, (proxy, method, args) -> {
                    if (noThreads && !started[0] && method.getName().equals("after")) {
                        throw new RejectedExecutionException("no thread can be started");
                    }
                    started[0] |= method.getName().equals("after");
                    return method.invoke(usual.timers(), args);
                });
        return new EngineContext(usual.ticker(), timers, usual.ids());
    }

    private void execute(Runnable task) {
        if (noThreads || tasksLeft <= 0) {
            tasksLeft = Integer.MAX_VALUE;
            // Like an OutOfMemoryError, which JUnit would not survive if it escaped.
            throw new InternalError("unable to create native thread");
        }
        tasksLeft -= tasksLeft == Integer.MAX_VALUE ? 0 : 1;
        world.manual.timers().run(Timers.Lane.CALLBACK, () -> world.threads.run(task));
    }

    private LeaseStore store() {
        return proxy(LeaseStore.class, world.store);
    }

    private <T> T proxy(Class<T> type, T to) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> call(to, method, args)));
    }

    private Object call(Object to, Method method, Object[] args) throws Throwable {
        if (acquireFails && method.getName().equals("acquire")) {
            throw new StoreUnavailableException("the database does not answer");
        }
        if (removeFails && method.getName().equals("remove")) {
            throw new IllegalStateException("injected");
        }
        try {
            Object answer = method.invoke(to, args);
            if (method.getName().equals("acquire")) {
                world.sleep(answersTake);
            }
            return answer instanceof CasRegister register ? proxy(CasRegister.class, register) : answer;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
