package dev.leasehold.server;

import dev.leasehold.events.KnownTarget;
import dev.leasehold.events.RunEntry;
import dev.leasehold.events.RunLog;
import dev.leasehold.events.RunOrigin;
import dev.leasehold.events.TargetMemory;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreId;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.work.WorkId;
import dev.leasehold.work.WorkLedger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * A store in which a night went wrong, told in the store's own time. Its clock then goes on from the morning, whatever
 * the clocks of this machine and of the browser say.
 */
final class EventfulNight {
    static final Instant MORNING = Instant.parse("2026-11-17T07:12:00Z");

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

    final MemoryLeaseStore store = new MemoryLeaseStore(StoreId.of("eventful-night"), this::now);
    private final RunLog log = new RunLog(store.register());
    private Instant clock = MORNING.minus(Duration.ofDays(8));
    private long arrived;

    private Instant now() {
        return arrived == 0 ? clock : MORNING.plusNanos(System.nanoTime() - arrived);
    }

    private EventfulNight at(String iso) {
        clock = Instant.parse(iso);
        return this;
    }

    /** Tells the night, and lets the clock go on. */
    static EventfulNight told() {
        EventfulNight night = new EventfulNight();
        for (int day = 10; day <= 16; day++) {
            night.at("2026-11-%02dT01:30:00Z".formatted(day)).publishWell(day);
        }
        night.publishLastNight();
        night.stuckReport();
        night.workAndTargets();
        new NightJobs(night.store.register(), MORNING).tell();
        night.runningJob();
        night.measuredRuns();
        night.others();
        night.arrived = System.nanoTime();
        return night;
    }

    private Grant acquire(String name, String holder, Duration ttl) {
        AttemptId attempt = AttemptId.of(UUID.randomUUID().toString());
        return ((Acquisition.Granted) store.acquire(LeaseName.of(name), attempt, Holder.of(holder), ttl)).grant();
    }

    private void pass(Duration time) {
        clock = clock.plus(time);
    }

    private void entry(String name, String kind, Long token, String holder, String detail) {
        log.append(
                LeaseName.of(name),
                new RunEntry(
                        Instant.EPOCH,
                        kind,
                        token == null ? null : FencingToken.of(token),
                        Holder.of(holder),
                        Duration.ZERO,
                        detail));
    }

    /** A run that ends, as the command line records it. */
    private void run(String name, Grant grant, String holder, String kind, Duration took, Duration gap) {
        log.append(
                LeaseName.of(name),
                new RunEntry(
                                Instant.EPOCH,
                                kind,
                                grant.token(),
                                Holder.of(holder),
                                took,
                                kind.equals("ran") ? "" : "exit 3",
                                new RunEntry.Renewals(
                                        Duration.ofSeconds(90), Duration.ofSeconds(30), took.toSeconds() / 30, gap))
                        .from(new RunOrigin("./publish.sh --all", "deploy", holder, "/srv")));
    }

    private void raised(String name, long token, String... places) {
        for (String place : places) {
            new TargetMemory(store.register())
                    .add(
                            LeaseName.of(name),
                            List.of(new KnownTarget(place, "web-2", null, FencingToken.of(token), Instant.EPOCH)));
        }
    }

    private void publishWell(int day) {
        String holder = "web-" + (1 + day % 2);
        Grant grant = acquire("daily-publish", holder, Duration.ofSeconds(90));
        Duration took = Duration.ofSeconds(620 + 31L * (day * 7 % 11));
        Instant end = clock.plus(took);
        while (clock.isBefore(end)) {
            pass(Duration.ofSeconds(30));
            store.renew(List.of(new RenewRequest(grant, Duration.ofSeconds(90))));
        }
        raised("daily-publish", grant.token().value(), "/srv/site/index.html", "/srv/site/feed.xml");
        run("daily-publish", grant, holder, "ran", took, Duration.ofSeconds(day == 14 ? 71 : 31));
        store.release(grant, Duration.ZERO);
    }

    /** The holder freezes, its successor publishes, and the late writes of the first are refused. */
    private void publishLastNight() {
        at("2026-11-17T01:30:00Z");
        Grant old = acquire("daily-publish", "web-1", Duration.ofSeconds(90));
        for (int i = 0; i < 9; i++) {
            pass(Duration.ofSeconds(30));
            store.renew(List.of(new RenewRequest(old, Duration.ofSeconds(90))));
        }
        pass(Duration.ofSeconds(100));
        Grant fresh = acquire("daily-publish", "web-2", Duration.ofMinutes(30));
        raised("daily-publish", fresh.token().value(), "/srv/site/index.html");
        pass(Duration.ofSeconds(80));
        entry("daily-publish", "skipped_overlap", null, "web-3", "held by web-2 (token 9)");
        pass(Duration.ofSeconds(100));
        String refusal = "/srv/site/index.html has seen token 9";
        entry("daily-publish", "stale_refused", old.token().value(), "web-1", refusal);
        pass(Duration.ofSeconds(4));
        entry("daily-publish", "stale_refused", old.token().value(), "web-1", refusal);
        pass(Duration.ofSeconds(10));
        entry("daily-publish", "lost_superseded", old.token().value(), "web-1", "token 9 of web-2");
        pass(Duration.ofMinutes(5));
        run("daily-publish", fresh, "web-2", "ran", Duration.ofSeconds(494), Duration.ofSeconds(31));
        store.release(fresh, Duration.ZERO);
    }

    private void stuckReport() {
        at("2026-11-17T04:00:00Z");
        Grant stuck = acquire("reports/monthly", "batch-3", HOUR);
        at("2026-11-17T04:20:00Z");
        store.progress(stuck, Note.of("page 3 of 40"), Checkpoint.of("3"));
        while (clock.isBefore(MORNING.minus(MINUTE.multipliedBy(20)))) {
            pass(MINUTE.multipliedBy(20));
            store.renew(List.of(new RenewRequest(stuck, HOUR)));
        }
    }

    private void workAndTargets() {
        at("2026-11-17T06:40:00Z");
        Grant works = acquire("etl/orders", "batch-7", HOUR);
        WorkLedger ledger = WorkLedger.over(store);
        for (String key : List.of("2026-11-15", "2026-11-16", "2026-11-17")) {
            WorkId id = WorkId.of("etl/orders", key);
            ledger.claim(works, id, null);
            ledger.checkpoint(ledger.claimOf(works, id).orElseThrow(), Checkpoint.of("row 41200"));
            pass(MINUTE);
        }
        ledger.complete(
                ledger.claimOf(works, WorkId.of("etl/orders", "2026-11-15")).orElseThrow(), null);
        ledger.fail(
                ledger.claimOf(works, WorkId.of("etl/orders", "2026-11-16")).orElseThrow(),
                Note.of("the disk of batch-7 is full"));
        Grant gone = acquire("billing", "batch-1", MINUTE);
        ledger.claim(gone, WorkId.of("billing", "invoice-4711"), null);
        raised("etl/orders", works.token().value(), "/srv/orders/today.csv");
        entry(
                "etl/orders",
                "changed_outside",
                works.token().value(),
                "batch-7",
                "/srv/orders/today.csv: another program has changed it since token 1 wrote it");
        clock = MORNING.minusSeconds(20);
        store.progress(works, Note.of("row 41,200 of 90,000"), null);
    }

    private void runningJob() {
        clock = MORNING.minus(Duration.ofMinutes(9));
        Grant running = acquire("search/index", "batch-4", HOUR);
        new NightJobs(store.register(), MORNING).running("search/index", running.token(), "batch-4");
    }

    /** Enough runs for advice on the ttl. */
    private void measuredRuns() {
        RunEntry.Renewals renewals =
                new RunEntry.Renewals(Duration.ofMinutes(30), Duration.ofMinutes(10), 2, Duration.ofMinutes(10));
        for (int i = 0; i < 6; i++) {
            FencingToken token = FencingToken.of(82L + i);
            Duration took = Duration.ofMinutes(27L + i);
            log.append(
                    LeaseName.of("nightly"),
                    new RunEntry(Instant.EPOCH, "ran", token, Holder.of("batch-2"), took, "", renewals));
        }
    }

    private void others() {
        at("2026-11-17T03:10:00Z");
        acquire("backup/db", "db-2", Duration.ofMinutes(10));
        at("2026-11-17T06:55:00Z");
        acquire("agents/refactor-the-billing-module", "session-91", HOUR);
        Grant import7 = acquire("imports/customers", "batch-2", Duration.ofSeconds(90));
        pass(Duration.ofSeconds(42));
        run("imports/customers", import7, "batch-2", "failed", Duration.ofSeconds(42), Duration.ofSeconds(30));
        store.release(import7, Duration.ZERO);
        pass(MINUTE);
        Grant taken = acquire("deploy/eu", "ci-11", HOUR);
        pass(MINUTE);
        store.intervene(Intervention.takeover(
                taken.name(),
                AttemptId.of(UUID.randomUUID().toString()),
                Holder.of("alice"),
                HOUR,
                Note.of("ci-11 hangs in the smoke test")));
    }
}
