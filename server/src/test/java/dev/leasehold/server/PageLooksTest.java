package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leases;
import dev.leasehold.events.KnownTarget;
import dev.leasehold.events.TargetMemory;
import dev.leasehold.jobs.Jobs;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.work.WorkId;
import dev.leasehold.work.WorkLedger;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the page looks like with everything on it: to those who see it, and to a screen reader. */
class PageLooksTest extends PageFixture {
    private static final Duration TTL = Duration.ofMinutes(10);
    private static final Duration STALL = Duration.ofSeconds(5);
    private static final Path PICTURE = Path.of("../docs/pictures/page.png");

    private static final List<String> VIEWS = List.of(
            "leases", "timeline", "jobs", "work", "targets", "lease?name=daily-publish", "lease?name=reports/monthly");

    private ScheduledExecutorService renewed;

    @AfterEach
    void stopRenewing() {
        renewed.shutdownNow();
    }

    /** An accident, a holder that is stuck, and others that work. */
    private void prepare() throws Exception {
        Grant old = acquire("daily-publish", "web-1", Duration.ofSeconds(3));
        Grant stuck = acquire("reports/monthly", "batch-3", STALL);
        store.progress(stuck, Note.of("page 3 of 40"), Checkpoint.of("3"));
        Grant works = acquire("etl/orders", "batch-7", TTL);
        acquire("agents/refactor", "session-91", TTL);
        WorkLedger ledger = WorkLedger.over(store);
        for (String key : List.of("2026-11-16", "2026-11-17")) {
            WorkId id = WorkId.of("etl/orders", key);
            ledger.claim(works, id, null);
            ledger.checkpoint(ledger.claimOf(works, id).orElseThrow(), Checkpoint.of("row 700"));
        }
        WorkId failed = WorkId.of("etl/orders", "2026-11-16");
        ledger.fail(ledger.claimOf(works, failed).orElseThrow(), Note.of("the disk is full"));
        new TargetMemory(store.register())
                .add(
                        LeaseName.of("daily-publish"),
                        List.of(new KnownTarget("/srv/index.html", "web-1", null, FencingToken.of(1), Instant.EPOCH)));
        try (Leases leases = Leases.open(url());
                Jobs jobs = Jobs.over(leases)
                        .job("nightly", job -> job.cron("* * * * * *").run(run -> {}))
                        .start()) {
            renewed = Executors.newSingleThreadScheduledExecutor();
            Future<?> unused = renewed.scheduleAtFixedRate(
                    () -> store.renew(List.of(new RenewRequest(stuck, STALL))), 1, 1, TimeUnit.SECONDS);
            Thread.sleep(4000);
            jobs.stop(Duration.ofSeconds(10));
        }
        Grant fresh = acquire("daily-publish", "web-2", TTL);
        record("daily-publish", "skipped_overlap", fresh.token().value(), "web-3", "held by web-2 with token 2");
        Thread.sleep(2000);
        record("daily-publish", "stale_refused", old.token().value(), "web-1", "index.html has seen token 2");
        store.progress(works, Note.of("row 41,200 of 90,000"), null);
    }

    @Test
    void nothingIsWrongForAScreenReaderAndThePictureShowsTheAccident() throws Exception {
        prepare();
        List<String> violations = new ArrayList<>();
        for (boolean dark : new boolean[] {false, true}) {
            page.dark(dark);
            page.size(dark ? 390 : 1280, 800);
            for (String view : VIEWS) {
                open(view);
                page.await("document.querySelector('.loading') === null");
                page.await("document.querySelector('.row .name, .bar, .job, td') !== null");
                violations.addAll(violations(view + (dark ? ", dark" : "")));
            }
        }
        page.eval("document.querySelector('[data-act=takeover]').click()");
        violations.addAll(violations("a dialog"));
        page.eval("document.querySelector('dialog').close()");
        assertThat(violations).isEmpty();
        picture();
    }

    private List<String> violations(String what) throws Exception {
        if (!page.eval("'axe' in window").asBoolean()) {
            try (InputStream in = PageLooksTest.class.getResourceAsStream("/axe.min.js")) {
                page.eval(new String(in.readAllBytes(), StandardCharsets.UTF_8) + "; true");
            }
        }
        List<String> found = new ArrayList<>();
        page.eval("axe.run(document, {resultTypes: ['violations']}).then(result => result.violations"
                        + ".map(v => v.id + ': ' + v.nodes.map(n => n.target + ' ' + n.failureSummary).join('; ')))")
                .forEach(violation -> found.add(what + ": " + violation.asString()));
        return found;
    }

    /** With -Dleasehold.pictures=true, it becomes the picture of the README. */
    private void picture() throws Exception {
        page.dark(false);
        page.size(1180, 560);
        open("timeline");
        page.await("document.querySelector('.mark.refused') !== null");
        page.eval("for (let i = 0; i < 11; i++) document.querySelector('[aria-label=\"Zoom in\"]').click();"
                + " document.querySelector('[aria-label=\"Up to now\"]').click()");
        page.await("document.querySelector('.mark.refused .bounce') !== null");
        page.eval("new Promise(done => setTimeout(done, 1500))");
        byte[] picture = page.screenshot();
        assertThat(picture.length).isBetween(10_000, 150_000);
        Files.write(Path.of("target/page.png"), picture);
        if (Boolean.getBoolean("leasehold.pictures")) {
            Files.write(PICTURE, picture);
        }
        assertThat(PICTURE).exists();
    }
}
