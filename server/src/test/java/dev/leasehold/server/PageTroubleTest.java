package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Stores;
import dev.leasehold.events.KnownTarget;
import dev.leasehold.events.TargetMemory;
import dev.leasehold.internal.Fields;
import dev.leasehold.internal.Words;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.work.WorkId;
import dev.leasehold.work.WorkLedger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page among hostile text, damaged records, and servers that refuse or fail. */
class PageTroubleTest extends PageFixture {
    private static final String SCRIPT = "<img src=x onerror=window.pwned=1><script>window.pwned=1</script>";

    @TempDir
    Path directory;

    private SwitchedStore switched;
    private int callsPerSecond;

    @Override
    LeaseStore createStore() {
        switched = new SwitchedStore(Stores.create("file:" + directory.resolve("store")));
        return switched.store();
    }

    @Override
    LeaseholdServer.Builder settings(LeaseStore of) {
        return super.settings(of).callsPerSecond(callsPerSecond);
    }

    private void write(String key, String value) {
        CasRegister register = store.register();
        assertThat(register.compareAndSet(key, register.read(key).version(), value))
                .isTrue();
    }

    /** Everything that a stranger can write contains a script. */
    private void writeScripts() {
        Grant grant = acquire("job", SCRIPT, LONG);
        store.progress(grant, Note.of(SCRIPT), Checkpoint.of(SCRIPT));
        WorkLedger ledger = WorkLedger.over(store);
        WorkId id = WorkId.of("job", "<svg/onload=window.pwned=1>");
        ledger.claim(grant, id, null);
        ledger.checkpoint(ledger.claimOf(grant, id).orElseThrow(), Checkpoint.of(SCRIPT));
        ledger.fail(ledger.claimOf(grant, id).orElseThrow(), Note.of(SCRIPT));
        record("job", "stale_refused", 1, SCRIPT, SCRIPT);
        new TargetMemory(store.register())
                .add(
                        LeaseName.of("job"),
                        List.of(new KnownTarget("/" + SCRIPT, "host", null, FencingToken.of(1), Instant.EPOCH)));
        Instant slot = Instant.parse("2026-11-17T01:30:00Z");
        write(
                "slots/job",
                new Fields("leasehold slots 1")
                        .put("watermark", slot)
                        .put("schedule", Words.join(slot, "Europe/Berlin", "30 2 * * *"))
                        .put("done", Words.join(slot, slot, 1, "failed", 1, 1, slot, 5, SCRIPT))
                        .format());
    }

    @Test
    void textOfStrangersIsOnlyText() {
        writeScripts();
        for (List<String> view : List.of(
                List.of("leases", ".row .holder"),
                List.of("leases", ".attention .what"),
                List.of("timeline", ".label .holder"),
                List.of("jobs", ".job-last"),
                List.of("work", "td"),
                List.of("targets", "td"),
                List.of("lease?name=job", ".facts dd"))) {
            open(view.get(0));
            page.awaitText(view.get(1), "<img src=x");
        }
        page.await("document.querySelector('.mark.refused') !== null");
        page.eval("document.querySelector('.mark.refused').focus()");
        page.awaitText("#tip", "<img src=x");
        page.eval("document.querySelector('[data-act=takeover]').click()");
        page.awaitText("dialog", "<img src=x");
        page.open(server.uri() + "/#/lease?name=%3Cimg%20src%3Dx%20onerror%3Dwindow.pwned%3D1%3E");
        page.awaitText(".empty", "lease name");
        assertThat(page.eval("window.pwned === undefined && document.querySelector('img, main script') === null")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void whatWasReadStaysWhileTheStoreDoesNotAnswer() {
        acquire("job", "web-1", LONG);
        switched.fail();
        page.open(server.uri() + "/");
        page.awaitText(".unread", "the disk is gone");
        switched.answer();
        page.awaitText(".row .holder", "web-1");

        open("lease?name=job");
        page.awaitText(".facts", "web-1");
        switched.fail();
        page.awaitText("#notice", "the disk is gone");
        assertThat(page.eval("document.querySelector('#notice').hidden").asBoolean())
                .isFalse();
        assertThat(page.text(".facts")).contains("web-1");
        page.eval("document.querySelector('[data-act=cancel]').click()");
        page.type("it hangs");
        page.eval("document.querySelector('dialog button.danger').click()");
        page.awaitText("dialog .result.bad", "it is the same change, not a second one");
        switched.answer();
        page.eval("document.querySelector('dialog button.danger').click()");
        page.awaitText("dialog .result.good", "job is free");
        page.eval("document.querySelector('dialog button').click()");
        page.await("document.querySelector('#notice').hidden");
        page.awaitText(".facts", "#2");
    }

    @Test
    void aLimitOfCallsOnlySlowsItDown() throws Exception {
        acquire("job", "web-1", LONG);
        int port = server.uri().getPort();
        server.close();
        callsPerSecond = 1;
        start(port);
        page.open(server.uri() + "/");
        page.awaitText(".row .holder", "web-1");
        page.awaitText("#live", "Live");
    }

    @Test
    void aDamagedRecordHidesNoOther() throws IOException {
        acquire("aaa", "web-1", LONG);
        acquire("broken", "web-2", LONG);
        acquire("zzz", "web-3", LONG);
        try (Stream<Path> files = Files.walk(directory.resolve("store"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (file.toString().contains("broken")) {
                    Files.writeString(file, "overwritten");
                }
            }
        }
        write("runs/zzz", "overwritten");
        write("slots/nightly", "overwritten");
        open("leases");
        page.awaitText(".row .name", "zzz");
        page.awaitText(".row .name", "aaa");
        page.awaitText(".attention li", "damaged");
        page.awaitText(".attention .name", "broken");
        page.awaitText(".attention li", "nightly");
        open("jobs");
        page.awaitText(".damage", "nightly");
        open("lease?name=broken");
        page.awaitText("[role=alert]", "broken");
        open("lease?name=zzz");
        page.awaitText(".bad", "the log of the runs of zzz cannot be read");
        assertThat(page.text(".facts")).contains("web-3");
    }

    @Test
    void aChangeThatCameTooLateIsToldAndChangesNothing() {
        Grant first = acquire("job", "web-1", LONG);
        open("lease?name=job");
        page.await("document.querySelector('[data-act=cancel]') !== null");
        page.eval("document.querySelector('[data-act=cancel]').click()");
        store.release(first, Duration.ZERO);
        acquire("job", "web-2", LONG);
        page.type("it hangs");
        page.eval("document.querySelector('dialog button.danger').click()");
        page.awaitText("dialog .result.bad", "nothing was changed");
        assertThat(store.inspect(LeaseName.of("job")).orElseThrow().lease().token())
                .isEqualTo(FencingToken.of(2));
    }

    @Test
    void withoutAnythingItSaysWhatToType() {
        for (String view : List.of("leases", "timeline", "jobs", "work", "targets", "lease?name=job")) {
            open(view);
            page.awaitText(".empty code", "leasehold ");
        }
    }
}
