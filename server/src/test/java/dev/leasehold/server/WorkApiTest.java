package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.server.ApiClient.Result;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Work that must be completed once, and calls that must not be repeated. */
abstract class WorkApiTest extends ApiFixture {
    private Result work(String step, long token, String rest) {
        return api.post("/v1/work/" + step, "{'name':'job','token':%d,'key':'2026-11-16'%s}", token, rest);
    }

    private Result once(String step, long token, String rest) {
        return api.post("/v1/once/" + step, "{'id':'mail-7','name':'job','token':%d%s}", token, rest);
    }

    private void takeOver() {
        api.post("/v1/leases/takeover", "{'name':'job','reason':'it hangs','ttlMs':60000}");
    }

    @Test
    void aKeyIsCompletedOnce() {
        acquire("job");
        assertThat(work("claim", 1, ",'fingerprint':'a'").text("outcome")).isEqualTo("claimed");
        assertThat(work("claim", 1, ",'fingerprint':'b'").problem()).isEqualTo("other-input");
        assertThat(work("checkpoint", 1, ",'checkpoint':'row 7'").status()).isEqualTo(200);
        assertThat(work("fail", 1, ",'error':'no paper'")
                        .body()
                        .at("/item/error")
                        .asString())
                .isEqualTo("no paper");
        assertThat(work("claim", 1, "").body().at("/item/checkpoint").asString())
                .isEqualTo("row 7");
        String end = ",'result':'page 12','effects':['mail it']";
        assertThat(work("complete", 1, end).body().path("again").asBoolean()).isFalse();
        assertThat(work("complete", 1, end).body().path("again").asBoolean()).isTrue();
        Result done = work("claim", 1, "");
        assertThat(done.text("outcome")).isEqualTo("done");
        assertThat(done.body().at("/item/result").asString()).isEqualTo("page 12");
        assertThat(done.body().at("/item/effects/0/id").asString()).isEqualTo("2026-11-16#1");
        assertThat(api.get("/v1/work?name=job").body().path("items")).hasSize(1);
        assertThat(api.get("/v1/work?name=job&after=2026-11-16").body().path("items"))
                .isEmpty();
        assertThat(api.get("/v1/work/one?name=job&key=2026-11-16").text("outcome"))
                .isEqualTo("done");
        assertThat(api.get("/v1/work/one?name=job&key=never").problem()).isEqualTo("no-such-work");
    }

    @Test
    void aRunThatWasReplacedCompletesNothing() {
        acquire("job");
        work("claim", 1, "");
        takeOver();
        assertThat(work("claim", 1, "").problem()).isEqualTo("stale");
        assertThat(work("claim", 2, "").text("outcome")).isEqualTo("claimed");
        for (String step : List.of("complete", "checkpoint", "fail")) {
            String rest = step.equals("fail") ? ",'error':'x'" : step.equals("complete") ? "" : ",'checkpoint':'x'";
            assertThat(work(step, 1, rest).problem()).isEqualTo("stale");
        }
        assertThat(work("complete", 2, "").status()).isEqualTo(200);
    }

    @Test
    void aKeyThatRunsUnderAnotherLeaseIsNotClaimed() {
        acquire("job");
        acquire("fallback");
        work("claim", 1, "");
        assertThat(api.post("/v1/work/claim", "{'name':'fallback','token':1,'key':'2026-11-16','of':'job'}")
                        .problem())
                .isEqualTo("running-elsewhere");
    }

    @Test
    void fieldsOfOtherStepsAreRefused() {
        acquire("job");
        assertThat(work("claim", 1, ",'result':'x'").text("detail")).contains("'result' belongs to another call");
        assertThat(work("checkpoint", 1, "").text("detail")).contains("'checkpoint' is missing");
        assertThat(work("fail", 1, "").text("detail")).contains("'error' is missing");
        assertThat(once("settle", 1, "").text("detail")).contains("'made' is missing");
        assertThat(once("begin", 1, ",'note':'x'").status()).isEqualTo(400);
    }

    @Test
    void aCallThatWasMadeIsNotMadeAgain() {
        acquire("job");
        assertThat(once("begin", 1, "").text("state")).isEqualTo("begun");
        assertThat(once("made", 1, ",'note':'250 queued'").text("state")).isEqualTo("made");
        assertThat(once("made", 1, ",'note':'again'").text("note")).isEqualTo("250 queued");
        takeOver();
        Result before = once("begin", 2, "");
        assertThat(before.text("state")).isEqualTo("made");
        assertThat(before.number("by")).isEqualTo(1);
        assertThat(api.get("/v1/once?name=job&id=mail-7").text("state")).isEqualTo("made");
        assertThat(api.get("/v1/once?name=job&id=other").text("state")).isEqualTo("none");
    }

    @Test
    void aCallWithAnUnknownOutcomeIsNeverRepeatedInSilence() {
        acquire("job");
        once("begin", 1, "");
        assertThat(once("begin", 1, "").problem()).isEqualTo("outcome-unknown");
        takeOver();
        assertThat(once("begin", 1, "").problem()).isEqualTo("stale");
        assertThat(once("begin", 2, "").problem()).isEqualTo("outcome-unknown");
        assertThat(api.get("/v1/once?name=job&id=mail-7").text("state")).isEqualTo("unknown");
        assertThat(once("not-made", 2, "").problem()).isEqualTo("stale");
        assertThat(once("settle", 1, ",'made':false").problem()).isEqualTo("stale");
        assertThat(once("settle", 99, ",'made':false").problem()).isEqualTo("stale");
        assertThat(once("settle", 2, ",'made':false").text("state")).isEqualTo("none");
        assertThat(once("begin", 2, "").text("state")).isEqualTo("begun");
        assertThat(once("not-made", 2, "").text("state")).isEqualTo("none");
        assertThat(once("made", 2, "").problem()).isEqualTo("stale");
    }
}
