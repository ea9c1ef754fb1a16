package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.spi.LeaseStore;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the page looks like after a night that went wrong: to those who see it, and to a screen reader. */
class PageLooksTest extends PageFixture {
    private static final boolean KEEP = Boolean.getBoolean("leasehold.pictures");
    private static final Path PICTURE = Path.of("../docs/pictures/page.png");

    /** What can be wrong only there: the elements are the same. */
    private static final String NARROW_AND_DARK =
            "runOnly: ['color-contrast', 'scrollable-region-focusable', 'target-size', 'region'], ";

    private static final List<String> VIEWS = List.of(
            "leases", "timeline", "jobs", "work", "targets", "lease?name=daily-publish", "lease?name=reports/monthly");

    @Override
    LeaseStore createStore() {
        return EventfulNight.told().store;
    }

    /** The store's clock is some days away from that of the browser. */
    @Test
    void anOperatorUnderstandsTheNightFromThePageAlone() {
        open("leases");
        page.awaitText(".attention li", "reports/monthly");
        page.awaitText(".attention li", "the disk of batch-7 is full");
        page.awaitText(".attention li", "/srv/site/index.html has seen token 9");
        List.of("stuck", "overdue", "failed work", "foreign change", "refused")
                .forEach(word -> page.awaitText(".attention .chip", word));
        assertThat(page.text(".attention li")).contains("batch-3 renews, but has made no progress for 2h");
        assertThat(page.text("#zone")).isEqualTo("CET");

        open("jobs");
        page.awaitText("[data-name=nightly] .job-last", "skipped busy: held by alice with token 88");
        page.awaitText("[data-name=nightly] .job-when", "next 18 Nov 02:30:00 CET");
        page.awaitText("[data-name=\"mail/digest\"] .job-when", "not run until it is resumed");
        page.awaitText("[data-name=\"sync/catalogue\"] .job-when", "next 09:00:00 CET (08:00:00 UTC)");
        page.eval("document.querySelector('[data-name=nightly] summary').click()");
        page.awaitText("[data-name=nightly] .level-text", "p95 ");
        page.awaitText("[data-name=nightly] .level-text", "ttl 30m 00s");

        open("work");
        page.awaitText("td", "2026-11-16");
        assertThat(page.text("tr:has(button) td .chip")).isEqualTo("orphaned|failed");

        open("targets");
        page.awaitText("tr:has(.warn) td", "/srv/site/feed.xml");
        page.awaitText("td", "which is at #9: it still accepts #7");
    }

    @Test
    void aLeaseSaysWhatHappenedAndPromisesNothing() {
        open("lease?name=daily-publish");
        page.awaitText(".next", "web-1 (#8) stopped renewing");
        assertThat(page.text(".next"))
                .contains("web-1 tried to write 2 times, last at 02:39:14", "was refused: /srv/site/index.html");
        page.awaitText(".next .caution", "leasehold raise /srv/site/feed.xml --name daily-publish --token 9");
        // Two refusals within seconds are one mark, at the moment of the first; zoomed in, each has its own.
        // The loss of the run is told there too, and is not counted: the words say twice.
        page.awaitText(".mark.refused .times", "2×");
        page.await("document.querySelector('[data-act=takeover]') === null");
        page.eval("document.querySelector('.timeline').focus()");
        for (int i = 0; i < 11; i++) {
            page.press("+");
        }
        page.press("ArrowLeft");
        page.awaitText(".drawn", " s");
        String ticks = "[...document.querySelectorAll('.view-lease .axis text')].map(t => t.textContent)";
        page.await(ticks + ".every(text => /^\\d\\d:\\d\\d:\\d\\d$/.test(text))");

        open("lease?name=reports/monthly");
        page.awaitText(".next", "No target of this lease is known here");
        page.await("[...document.querySelectorAll('.figure')].length === 2 && new Set([...document"
                + ".querySelectorAll('.figure')].map(e => e.textContent)).size === 1");
        page.await("/^(47|46|45|44)m /.test(document.querySelector('.figure').textContent)");
        page.eval("document.querySelector('[data-act=cancel]').click()");
        page.awaitText("dialog li", "The process of batch-3 goes on until it notices");
    }

    @Test
    void anOperatorPausesStartsAndRetries() {
        open("jobs");
        act("[data-name=nightly] [data-act=pause]", "nightly is paused");
        page.awaitText("[data-name=nightly] .chips", "paused");
        act("[data-name=nightly] [data-act=resume]", "nightly runs again");
        act("[data-name=nightly] [data-act=runNow]", "Asked for.");
        page.awaitText("[data-name=nightly] .job-open", "asked");
        open("work");
        page.await("document.querySelectorAll('td button').length === 2");
        act("[aria-label=\"Retry 2026-11-16 of etl/orders\"]", "2026-11-16 is open");
        page.await("document.querySelectorAll('td button').length === 1");
    }

    private void act(String button, String told) {
        page.await("document.querySelector('" + button + "') !== null");
        page.eval("document.querySelector('" + button + "').click()");
        page.type("because of a test");
        page.eval("document.querySelector('dialog form .buttons button:last-child').click()");
        page.awaitText("dialog .result.good", told);
        page.eval("document.querySelector('dialog button').click()");
    }

    @Test
    void theRangeThatOneChoosesIsDrawn() {
        open("timeline?range=hour");
        page.awaitText(".drawn", "07:");
        assertThat(page.text(".drawn")).matches("07:1\\d . now, 1h 00m");
        page.awaitText(".nothing", "nothing here; last: #9 web-2, until 02:44:24");
        page.eval("document.querySelector('[data-value=night]').click()");
        page.awaitText(".drawn", "16 Nov 18:00");
        assertThat(page.text(".drawn")).isEqualTo("16 Nov 18:00 – 08:00, 14h 00m");
        page.await("document.querySelectorAll('[data-name=daily-publish] .bar').length === 2");
        assertThat(page.text(".legend")).contains("token 7: rises with each owner", "late write bounced off");
        page.size(390, 844);
        page.await("[...document.querySelectorAll('.legend .key')].every(key =>"
                + " key.getBoundingClientRect().right <= innerWidth)");
        open("jobs");
        page.await("[...document.querySelectorAll('.legend .key')].length > 5 && [...document"
                + ".querySelectorAll('.legend .key')].every(key => key.getBoundingClientRect().right <= innerWidth)");
        assertThat(page.eval("document.documentElement.scrollWidth <= innerWidth")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void nothingIsWrongForAScreenReaderAndThePictureShowsTheAccident() throws Exception {
        List<String> violations = new ArrayList<>();
        for (boolean dark : new boolean[] {false, true}) {
            page.dark(dark);
            page.size(dark ? 390 : 1280, 800);
            for (String view : VIEWS) {
                open(view);
                page.await("document.querySelector('.loading') === null");
                page.await("document.querySelector('.row .name, .bar, .job, td') !== null");
                violations.addAll(dark ? violations(view + ", dark", NARROW_AND_DARK) : violations(view, ""));
                if (KEEP) {
                    keep(view.replaceAll("\\W+", "-") + (dark ? "-dark" : "-light"));
                }
            }
        }
        page.eval("document.querySelector('[data-act=takeover]').click()");
        violations.addAll(violations("a dialog", ""));
        page.eval("document.querySelector('dialog').close()");
        assertThat(violations).isEmpty();
        picture();
    }

    private List<String> violations(String what, String only) throws Exception {
        if (!page.eval("'axe' in window").asBoolean()) {
            try (InputStream in = PageLooksTest.class.getResourceAsStream("/axe.min.js")) {
                page.eval(new String(in.readAllBytes(), StandardCharsets.UTF_8) + "; true");
            }
        }
        List<String> found = new ArrayList<>();
        page.eval("axe.run(document, {" + only + "resultTypes: ['violations']}).then(result => result.violations"
                        + ".map(v => v.id + ': ' + v.nodes.map(n => n.target + ' ' + n.failureSummary).join('; ')))")
                .forEach(violation -> found.add(what + ": " + violation.asString()));
        return found;
    }

    private byte[] keep(String name) throws Exception {
        byte[] picture = page.screenshot();
        Files.createDirectories(Path.of("target/pictures"));
        Files.write(Path.of("target/pictures", name + ".png"), picture);
        return picture;
    }

    /** With -Dleasehold.pictures=true, it becomes the picture of the README. */
    private void picture() throws Exception {
        page.dark(false);
        page.size(1180, 640);
        open("lease?name=daily-publish");
        page.await("document.querySelector('.mark.refused .bounce') !== null");
        byte[] picture = keep("page");
        assertThat(picture.length).isBetween(10_000, 200_000);
        if (KEEP) {
            Files.write(PICTURE, picture);
        }
        assertThat(PICTURE).exists();
    }
}
