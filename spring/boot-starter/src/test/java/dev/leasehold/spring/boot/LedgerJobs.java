package dev.leasehold.spring.boot;

import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spring.LeaseDefaults;
import dev.leasehold.spring.LeaseEvent;
import dev.leasehold.spring.Leased;
import dev.leasehold.spring.OnBusy;
import dev.leasehold.spring.tx.CurrentLease;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.annotation.Transactional;

/** The leased methods of the test application. */
@LeaseDefaults(minHold = "1ms")
class LedgerJobs {
    private final List<LeaseEvent> events = new CopyOnWriteArrayList<>();

    private final JdbcTemplate jdbc;
    private final LedgerTasks tasks;
    private final Leases leases;
    private final ObjectProvider<LedgerJobs> self;

    LedgerJobs(JdbcTemplate jdbc, LedgerTasks tasks, Leases leases, ObjectProvider<LedgerJobs> self) {
        this.jdbc = jdbc;
        this.tasks = tasks;
        this.leases = leases;
        this.self = self;
    }

    /** A method, because the fields of a proxy are empty. */
    List<LeaseEvent> events() {
        return events;
    }

    /** Waits for an event that another thread publishes. */
    boolean hears(Class<? extends LeaseEvent> kind) throws InterruptedException {
        for (int i = 0; i < 3000 && events.stream().noneMatch(kind::isInstance); i++) {
            Thread.sleep(10);
        }
        return events.stream().anyMatch(kind::isInstance);
    }

    @EventListener
    public void on(LeaseEvent event) {
        events.add(event);
    }

    @Leased(name = "tenant/#{#tenant}", ttl = "${jobs.ttl}")
    public Lease lease(String tenant, Lease lease) {
        return lease;
    }

    @Leased("#{#name}")
    public String skipped(String name) {
        return "ran";
    }

    @Leased("#{#p0}")
    public Optional<String> skippedOptional(String name) {
        return Optional.of("ran");
    }

    @Leased(name = "#{#name}", onBusy = OnBusy.THROW)
    public int thrown(String name) {
        return 1;
    }

    @Leased(name = "#{#name}", onBusy = OnBusy.WAIT, waitFor = "PT0.2S")
    public int waits(String name, String howLong) {
        return 1;
    }

    @Leased(name = "#{#name}", onBusy = OnBusy.HANDLE, busyHandler = "answering")
    public String handled(String name) {
        return "ran";
    }

    @Nightly("nightly/#{@partOfAName}")
    public String composed() {
        return CurrentLease.get().grant().name().value();
    }

    @Leased("#{#name}")
    public String outer(String name) {
        return self.getObject().skipped(name) + " inside ran";
    }

    @Leased("#{#name}")
    @Transactional
    public void write(String name, Runnable meanwhile) {
        jdbc.update(
                "insert into entries values (?, ?)",
                name,
                CurrentLease.get().grant().token().value());
        meanwhile.run();
    }

    @Leased("#{#name}")
    public Optional<CompletableFuture<Optional<Grant>>> submit(String name) {
        return Optional.of(tasks.currentGrant());
    }

    CompletableFuture<Optional<Grant>> grantOfTask(String name) {
        return self.getObject().submit(name).orElseThrow();
    }

    @Leased(name = "keyed", key = "#{#key}", onBusy = OnBusy.WAIT, waitFor = "60s")
    @Transactional
    public String keyed(String key, boolean fails) {
        jdbc.update("insert into entries values (?, 0)", key);
        if (fails) {
            throw new IllegalStateException("failed on purpose");
        }
        return "done";
    }

    @Leased(name = "keyed-later", key = "#{#key}")
    public String keyedWithoutTransaction(String key) {
        return "done";
    }

    /** Somebody takes the lease away; the next renewal finds out, and interrupts the sleep. */
    @Leased(name = "#{#name}", ttl = "2s")
    public void sleepWithout(String name) throws InterruptedException {
        leases.store()
                .intervene(Intervention.cancel(
                        LeaseName.of(name),
                        AttemptId.of("a-" + UUID.randomUUID()),
                        Holder.of("operator"),
                        Note.of("for the test")));
        Thread.sleep(60_000);
    }

    @Scheduled(cron = "0 0 3 * * *")
    @Leased("scheduled")
    public void byCron() {}

    @Scheduled(fixedRate = 8, initialDelay = 8, timeUnit = TimeUnit.HOURS)
    @Leased("scheduled")
    public void byRate() {}

    @Scheduled(fixedDelayString = "PT8H", initialDelayString = "PT8H")
    @Leased("scheduled")
    public void byDelay() {}

    @Scheduled(fixedDelay = 8, initialDelay = 8, timeUnit = TimeUnit.HOURS)
    @Scheduled(fixedDelay = 8, initialDelay = 2, timeUnit = TimeUnit.HOURS)
    @Scheduled(fixedDelay = 8, initialDelay = 16, timeUnit = TimeUnit.HOURS)
    @Leased("scheduled")
    public void byBoth() {}
}
