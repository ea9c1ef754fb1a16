package dev.leasehold.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leases;
import dev.leasehold.jobs.DueSlots;
import dev.leasehold.jobs.Job;
import dev.leasehold.jobs.JobListener;
import dev.leasehold.jobs.JobRecords;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.testkit.ManualContext;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the store says about all jobs, with a store that may be slow, silent or damaged. */
class StoreMetricsTest {
    private static final String JOB = "job";

    private final ManualContext manual = new ManualContext();
    private final MemoryLeaseStore store = new MemoryLeaseStore(StoreId.of("store-0001"), manual.clock());
    private final SlowRegister register = new SlowRegister(store.register());
    private final Leases leases = Leases.over(store).context(manual.context()).build();
    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final AtomicLong nanos = new AtomicLong(1);
    private final StoreMetrics metrics = metrics(registry, Duration.ofMinutes(1));

    private StoreMetrics metrics(MeterRegistry shown, Duration limit) {
        return StoreMetrics.of(shown, register, false, nanos::get, limit);
    }

    /** A register that can be made to fail or to hang. */
    private static final class SlowRegister implements CasRegister {
        private final CasRegister real;
        private final AtomicInteger lists = new AtomicInteger();
        private volatile boolean down;
        private volatile CountDownLatch hanging = new CountDownLatch(0);

        SlowRegister(CasRegister real) {
            this.real = real;
        }

        private void answer() {
            try {
                hanging.await();
            } catch (InterruptedException e) {
                throw new StoreUnavailableException("interrupted", e);
            }
            if (down) {
                throw new StoreUnavailableException("the store is gone");
            }
        }

        @Override
        public Reading read(String key) {
            answer();
            return real.read(key);
        }

        @Override
        public boolean compareAndSet(String key, String expected, String value) {
            return real.compareAndSet(key, expected, value);
        }

        @Override
        public List<String> keys(String prefix, String after, int limit) {
            lists.incrementAndGet();
            answer();
            return real.keys(prefix, after, limit);
        }
    }

    @AfterEach
    void close() {
        register.hanging.countDown();
        metrics.close();
        leases.close();
    }

    private double gauge(String name, String... tags) {
        return registry.get(name).tags(tags).gauge().value();
    }

    private double outcomes(String outcome) {
        return registry.get("leasehold.jobs.outcomes")
                .tag("outcome", outcome)
                .functionCounter()
                .count();
    }

    /** Another machine runs what is due of a job that is due every hour. */
    private void runDue(String name, boolean works) throws Exception {
        Job job = Job.named(name)
                .cron("0 * * * *")
                .zone("UTC")
                .run(run -> {
                    if (!works) {
                        throw new IllegalStateException("no");
                    }
                })
                .build();
        DueSlots.run(leases, job, JobListener.NONE);
    }

    private void passInterval() {
        nanos.addAndGet(Duration.ofHours(1).toNanos());
    }

    @Test
    void aJobThatNoMachineRunsIsOverdue() throws Exception {
        runDue(JOB, true);
        assertThat(gauge("leasehold.jobs.overdue")).isZero();
        manual.advance(Duration.ofHours(3));
        passInterval();
        assertThat(gauge("leasehold.jobs.overdue")).isBetween(2 * 3600.0, 3 * 3600.0);
        new JobRecords(register).pause(LeaseName.of(JOB), Holder.of("op"), Note.of("maintenance"));
        passInterval();
        assertThat(gauge("leasehold.jobs.overdue")).isZero();
        assertThat(gauge("leasehold.jobs.paused")).isEqualTo(1);
    }

    @Test
    void outcomesAreCountedFromTheStartOfThisProcessOn() throws Exception {
        runDue(JOB, true);
        manual.advance(Duration.ofHours(1));
        runDue(JOB, true);
        metrics.refresh();
        // What happened before must not look like an increase of this process.
        assertThat(outcomes("ran")).isZero();
        manual.advance(Duration.ofHours(1));
        runDue(JOB, true);
        runDue("new", true);
        manual.advance(Duration.ofHours(1));
        runDue("new", false);
        passInterval();
        metrics.refresh();
        assertThat(outcomes("ran")).isEqualTo(1);
        assertThat(outcomes("failed")).isEqualTo(1);
        assertThat(registry.get("leasehold.jobs.skipped_overlap")
                        .functionCounter()
                        .count())
                .isZero();
    }

    /** A sum that falls would look like a restart, and Prometheus would count everything once more. */
    @Test
    void aJobThatIsForgottenLowersNoCounter() throws Exception {
        runDue(JOB, true);
        metrics.refresh();
        manual.advance(Duration.ofHours(1));
        runDue(JOB, true);
        passInterval();
        metrics.refresh();
        assertThat(outcomes("ran")).isEqualTo(1);
        assertThat(new JobRecords(store.register()).remove(LeaseName.of(JOB))).isTrue();
        passInterval();
        metrics.refresh();
        assertThat(outcomes("ran")).isEqualTo(1);
        assertThat(gauge("leasehold.jobs.known")).isZero();
    }

    @Test
    void theStoreIsReadAtMostEveryFewSeconds() {
        for (int i = 0; i < 100; i++) {
            metrics.refresh();
            gauge("leasehold.jobs.overdue");
        }
        assertThat(register.lists).hasValue(1);
    }

    @Test
    void manyWhoLookAtOnceReadTheStoreOnceAndNobodyHangsWithIt() throws Exception {
        register.hanging = new CountDownLatch(1);
        MeterRegistry other = new SimpleMeterRegistry();
        try (StoreMetrics impatient = metrics(other, Duration.ofMillis(200))) {
            List<Thread> all = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                Thread thread = new Thread(impatient::refresh);
                thread.start();
                all.add(thread);
            }
            for (Thread thread : all) {
                thread.join(30_000);
                assertThat(thread.isAlive()).isFalse();
            }
            assertThat(register.lists).hasValue(1);
            assertThat(other.get("leasehold.store.up").gauge().value()).isZero();
        }
    }

    @Test
    void aStoreThatIsDownLeavesTheLastNumbersAndSaysSo() throws Exception {
        runDue(JOB, true);
        manual.advance(Duration.ofHours(3));
        double before = gauge("leasehold.jobs.overdue");
        assertThat(before).isPositive();
        assertThat(gauge("leasehold.store.up")).isEqualTo(1);
        register.down = true;
        passInterval();
        assertThat(gauge("leasehold.store.up")).isZero();
        assertThat(gauge("leasehold.jobs.overdue")).isEqualTo(before);
        assertThat(gauge("leasehold.jobs.age")).isEqualTo(3600);
        register.down = false;
        passInterval();
        assertThat(gauge("leasehold.store.up")).isEqualTo(1);
        assertThat(gauge("leasehold.jobs.age")).isZero();
    }

    @Test
    void aDamagedRecordHidesNoOtherJob() throws Exception {
        runDue(JOB, true);
        store.register().compareAndSet("slots/damaged", CasRegister.ABSENT, "nonsense");
        manual.advance(Duration.ofHours(3));
        assertThat(gauge("leasehold.jobs.overdue")).isPositive();
        assertThat(gauge("leasehold.jobs.unreadable")).isEqualTo(1);
        assertThat(gauge("leasehold.store.up")).isEqualTo(1);
    }

    @Test
    void noJobNameIsALabelUnlessAsked() throws Exception {
        PrometheusMeterRegistry named = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        PrometheusMeterRegistry plain = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        runDue(JOB, true);
        try (StoreMetrics byName = StoreMetrics.withNames(named, register);
                StoreMetrics together = StoreMetrics.on(plain, register)) {
            await(() -> named.get("leasehold.jobs.known").gauge().value() == 1);
            await(() -> plain.get("leasehold.jobs.known").gauge().value() == 1);
            assertThat(named.scrape()).contains("leasehold_jobs_overdue_seconds{name=\"job\"} 0.0");
            assertThat(plain.scrape())
                    .contains("leasehold_jobs_overdue_seconds 0.0")
                    .doesNotContain("name=");
        }
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        for (int i = 0; i < 3000 && !condition.getAsBoolean(); i++) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }
}
