package dev.leasehold.metrics;

import dev.leasehold.internal.Failure;
import dev.leasehold.jobs.JobRecords;
import dev.leasehold.jobs.Outcome;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a store says about all its jobs, whichever machines run them, and whether it answers: {@code
 * leasehold.jobs.*} and {@code leasehold.store.up}. Every process that shows these numbers shows the
 * same ones, so they are not to be added up.
 *
 * <p>The store is read when somebody looks at the numbers, but at most every five seconds, and for at
 * most a tenth of the time. Whoever looks waits for it for at most a second, and gets the numbers
 * before. A registry that knows these metrics keeps them until the process ends; {@link #close} only
 * stops the reading. Safe for use by many threads.
 */
public final class StoreMetrics implements AutoCloseable {
    private static final long INTERVAL_NANOS = Duration.ofSeconds(5).toNanos();
    private static final Duration LIMIT = Duration.ofSeconds(1);
    private static final int MOST_OF_THE_TIME = 10;

    private final JobRecords records;
    private final LongSupplier nanos;
    private final long limitNanos;
    private final ThreadPoolExecutor thread;
    private final OutcomeTotals totals = new OutcomeTotals();
    private final @Nullable MultiGauge overdueByName;
    private volatile JobNumbers numbers = JobNumbers.NONE;
    private volatile long readAt;
    private volatile @Nullable Reading latest;

    private StoreMetrics(
            MeterRegistry registry, CasRegister register, boolean names, LongSupplier nanos, Duration limit) {
        this.records = new JobRecords(register);
        this.nanos = nanos;
        this.limitNanos = limit.toNanos();
        this.readAt = nanos.getAsLong();
        this.thread = new ThreadPoolExecutor(1, 1, 30, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1), task -> {
            Thread made = new Thread(task, "leasehold-store-metrics");
            made.setDaemon(true);
            return made;
        });
        this.thread.allowCoreThreadTimeOut(true);
        String overdue = "How long a slot has been due although no machine has taken care of it";
        if (names) {
            overdueByName = MultiGauge.builder("leasehold.jobs.overdue")
                    .description(overdue)
                    .baseUnit("seconds")
                    .register(registry);
        } else {
            overdueByName = null;
            gauge(registry, "leasehold.jobs.overdue", overdue, "seconds", Tags.empty(), JobNumbers::longestOverdue);
        }
        register(registry);
    }

    /** Metrics of all jobs together. No name of a job becomes a tag. */
    public static StoreMetrics on(MeterRegistry registry, CasRegister register) {
        return of(registry, register, false, System::nanoTime, LIMIT);
    }

    /**
     * The same, but {@code leasehold.jobs.overdue} for each job, with the tag {@code name}. A registry and
     * the system that collects its numbers keep one series for each job; of more than 1000 jobs, only those
     * are shown that are overdue for longest.
     */
    public static StoreMetrics withNames(MeterRegistry registry, CasRegister register) {
        return of(registry, register, true, System::nanoTime, LIMIT);
    }

    /**
     * @param nanos decides when the store is read again
     * @param limit how long those who look wait
     */
    static StoreMetrics of(
            MeterRegistry registry, CasRegister register, boolean names, LongSupplier nanos, Duration limit) {
        return new StoreMetrics(registry, register, names, nanos, limit);
    }

    private void register(MeterRegistry registry) {
        Gauge.builder("leasehold.store.up", this, StoreMetrics::up)
                .description("Whether the store answered when it was read for these metrics")
                .strongReference(true)
                .register(registry);
        Gauge.builder("leasehold.jobs.age", this, StoreMetrics::age)
                .description("How old the numbers about jobs are")
                .baseUnit("seconds")
                .strongReference(true)
                .register(registry);
        gauge(registry, "leasehold.jobs.known", "Jobs that have a record", null, Tags.empty(), n -> n.overdueSeconds()
                .size());
        gauge(registry, "leasehold.jobs.paused", "Jobs that are paused", null, Tags.empty(), JobNumbers::paused);
        gauge(
                registry,
                "leasehold.jobs.unreadable",
                "Records of jobs that are damaged",
                null,
                Tags.empty(),
                JobNumbers::unreadable);
        String open = "Slots without an outcome, by what they are doing";
        gauge(registry, "leasehold.jobs.open", open, "slots", Tags.of("state", "queued"), JobNumbers::queued);
        gauge(registry, "leasehold.jobs.open", open, "slots", Tags.of("state", "running"), JobNumbers::running);
        for (Outcome.Kind kind : Outcome.Kind.values()) {
            boolean skip = kind == Outcome.Kind.SKIPPED;
            FunctionCounter.builder(
                            skip ? "leasehold.jobs.skipped_overlap" : "leasehold.jobs.outcomes",
                            this,
                            metrics -> metrics.total(kind))
                    .description(
                            skip
                                    ? "Slots that were not run because an earlier one was still running; not failures"
                                    : "Slots that ended on any machine since this process began to look, without skips")
                    .tags(skip ? Tags.empty() : Tags.of("outcome", kind.word()))
                    .register(registry);
        }
    }

    private void gauge(
            MeterRegistry registry,
            String name,
            String description,
            @Nullable String unit,
            Tags tags,
            ToDoubleFunction<JobNumbers> value) {
        Gauge.builder(name, this, metrics -> value.applyAsDouble(metrics.current()))
                .description(description)
                .baseUnit(unit)
                .tags(tags)
                // The registry keeps these metrics alive.
                .strongReference(true)
                .register(registry);
    }

    private JobNumbers current() {
        refresh();
        return numbers;
    }

    private double total(Outcome.Kind kind) {
        refresh();
        return totals.of(kind);
    }

    private double age() {
        refresh();
        return Duration.ofNanos(nanos.getAsLong() - readAt).toMillis() / 1000.0;
    }

    private double up() {
        refresh();
        Reading reading = latest;
        return reading != null && reading.isAnswered() ? 1 : 0;
    }

    /**
     * Reads the store if the numbers are old. Waits for at most a second; if the store takes longer, it
     * goes on being read in the background.
     */
    public void refresh() {
        Reading reading = startIfDue();
        if (reading != null) {
            reading.await();
        }
    }

    private synchronized @Nullable Reading startIfDue() {
        Reading before = latest;
        if (before == null || before.isOld()) {
            Reading next = new Reading();
            try {
                thread.execute(next);
                latest = next;
            } catch (RejectedExecutionException | OutOfMemoryError e) {
                // It was closed, or no thread can be started. The next look tries again.
                return null;
            }
        }
        return latest;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    /** One reading of the store. */
    private final class Reading implements Runnable {
        private final long started = System.nanoTime();
        private final CountDownLatch done = new CountDownLatch(1);
        private volatile long answered = started;
        private volatile boolean failed;
        private volatile long due = Long.MAX_VALUE;

        @Override
        @SuppressWarnings("CatchingUnchecked")
        public void run() {
            try {
                JobNumbers read = JobNumbers.read(records, () -> answered = System.nanoTime());
                totals.add(read);
                show(read);
                numbers = read;
                readAt = nanos.getAsLong();
            } catch (StoreUnavailableException e) {
                failed = true;
            } catch (RuntimeException | Error e) {
                failed = true;
                Failure.log("the store could not be read for its metrics", e);
            } finally {
                long took = System.nanoTime() - started;
                due = nanos.getAsLong() + Math.max(INTERVAL_NANOS, MOST_OF_THE_TIME * took);
                done.countDown();
            }
        }

        boolean isOld() {
            return done.getCount() == 0 && nanos.getAsLong() - due >= 0;
        }

        /** Whether the store answers, as far as one can know now. */
        boolean isAnswered() {
            return !failed && (done.getCount() == 0 || System.nanoTime() - answered < limitNanos);
        }

        /** All who look wait for the same second. */
        void await() {
            try {
                boolean unused = done.await(started + limitNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void show(JobNumbers read) {
        if (overdueByName == null) {
            return;
        }
        List<Map.Entry<LeaseName, Double>> jobs =
                new ArrayList<>(read.overdueSeconds().entrySet());
        jobs.sort(Map.Entry.<LeaseName, Double>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()));
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        for (Map.Entry<LeaseName, Double> job : jobs.subList(0, Math.min(jobs.size(), MetersByName.MOST_NAMES))) {
            rows.add(MultiGauge.Row.of(Tags.of(MetersByName.TAG, job.getKey().value()), job.getValue()));
        }
        overdueByName.register(rows, true);
    }
}
