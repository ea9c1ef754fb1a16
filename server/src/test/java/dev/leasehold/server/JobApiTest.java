package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leases;
import dev.leasehold.events.KnownTarget;
import dev.leasehold.events.RunLog;
import dev.leasehold.events.TargetMemory;
import dev.leasehold.jobs.Jobs;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.LeaseName;
import dev.leasehold.server.ApiClient.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Jobs and targets over HTTP. */
abstract class JobApiTest extends ApiFixture {
    private static final String ONE = "/v1/jobs/one?name=job";

    @Test
    void aJobIsShownPausedAndResumed() throws Exception {
        assertThat(api.get("/v1/jobs").body().path("jobs")).isEmpty();
        assertThat(api.get("/v1/jobs/one?name=job").problem()).isEqualTo("no-such-job");
        assertThat(api.post("/v1/jobs/pause", "{'name':'job','reason':'r'}").status())
                .isEqualTo(404);
        assertThat(api.post("/v1/jobs/resume", "{'name':'job','reason':'r'}").status())
                .isEqualTo(404);
        try (Leases leases = Leases.open("file:" + directory.resolve("store"));
                Jobs jobs = Jobs.over(leases)
                        .job("job", job -> job.cron("* * * * * *").run(run -> {}))
                        .start()) {
            Result job = api.get("/v1/jobs/one?name=job");
            for (int i = 0; i < 300 && job.body().path("outcomes").isEmpty(); i++) {
                TimeUnit.MILLISECONDS.sleep(100);
                job = api.get("/v1/jobs/one?name=job");
            }
            assertThat(job.body().at("/outcomes/0/outcome").asString()).isEqualTo("ran");
            jobs.stop(Duration.ofSeconds(10));
        }
        Result paused = api.post("/v1/jobs/pause", "{'name':'job','reason':'a holiday','holder':'bob'}");
        assertThat(paused.body().at("/paused/reason").asString()).isEqualTo("a holiday");
        assertThat(api.post("/v1/jobs/resume", "{'name':'job','reason':'it is over'}")
                        .body()
                        .has("paused"))
                .isFalse();
        assertThat(api.get("/v1/jobs").body().at("/jobs/0/name").asString()).isEqualTo("job");
    }

    @Test
    void oneStartRunsOnceOnOneOfTwoMachines() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        assertThat(api.post("/v1/jobs/start", "{'name':'job'}").problem()).isEqualTo("no-such-job");
        try (Leases leases = Leases.open("file:" + directory.resolve("store"));
                Jobs first = machine(leases, runs);
                Jobs second = machine(leases, runs)) {
            awaitJob();
            String call = "{'name':'job','attempt':'request-0001','reason':'now','holder':'alice'}";
            Result asked = api.post("/v1/jobs/start", call);
            assertThat(asked.status()).as(asked.body().toString()).isEqualTo(200);
            Result again = api.post("/v1/jobs/start", call);
            for (int i = 0; i < 300 && !again.text("state").equals("ran"); i++) {
                TimeUnit.MILLISECONDS.sleep(100);
                again = api.post("/v1/jobs/start", call);
            }

            assertThat(again.text("state")).isEqualTo("ran");
            assertThat(again.text("slot")).isEqualTo(asked.text("slot"));
            assertThat(asked.body().path("again").asBoolean()).isFalse();
            assertThat(again.body().path("again").asBoolean()).isTrue();
            assertThat(runs).hasValue(1);
            assertThat(api.get(ONE).body().at("/outcomes/0/slot").asString()).isEqualTo(asked.text("slot"));
            first.stop(Duration.ofSeconds(10));
            second.stop(Duration.ofSeconds(10));
        }
        Result waiting = api.post("/v1/jobs/start", "{'name':'job'}");
        assertThat(waiting.text("state")).isEqualTo("asked");
        assertThat(api.get(ONE).body().at("/open/0/state").asString()).isEqualTo("asked");
    }

    @Test
    void aPausedJobIsNotStarted() throws Exception {
        try (Leases leases = Leases.open("file:" + directory.resolve("store"));
                Jobs jobs = machine(leases, new AtomicInteger())) {
            awaitJob();
            jobs.stop(Duration.ofSeconds(10));
        }
        api.post("/v1/jobs/pause", "{'name':'job','reason':'a holiday','holder':'bob'}");

        Result refused = api.post("/v1/jobs/start", "{'name':'job'}");

        assertThat(refused.problem()).isEqualTo("job-paused");
        assertThat(refused.text("detail")).contains("bob", "a holiday", "not started");
        assertThat(api.get(ONE).body().path("open")).isEmpty();
    }

    @Test
    void theHistoryNamesWhoMovedAJob() throws Exception {
        try (Leases leases = Leases.open("file:" + directory.resolve("store"));
                Jobs jobs = machine(leases, new AtomicInteger())) {
            awaitJob();
            jobs.stop(Duration.ofSeconds(10));
        }
        ApiClient alice = api.with(new AccessKeys(store.register())
                .add("alice", Role.OPERATOR, "", null)
                .text());
        alice.post("/v1/jobs/start", "{'name':'job','holder':'bob'}");
        alice.post("/v1/jobs/pause", "{'name':'job','reason':'a holiday','holder':'bob'}");
        alice.post("/v1/jobs/resume", "{'name':'job','reason':'it is over'}");

        assertThat(new RunLog(store.register()).of(LeaseName.of("job")).newestFirst())
                .extracting(entry -> entry.kind() + " " + entry.holder())
                .containsExactly("resumed alice", "paused bob by alice", "started bob by alice");
    }

    private static Jobs machine(Leases leases, AtomicInteger runs) {
        return Jobs.over(leases)
                .job("job", job -> job.cron("0 0 1 1 *").run(run -> runs.incrementAndGet()))
                .start();
    }

    private void awaitJob() throws InterruptedException {
        for (int i = 0; i < 300 && api.get(ONE).status() != 200; i++) {
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    @Test
    void theTargetsOfALeaseAreShown() {
        assertThat(api.get("/v1/targets?name=job").body().path("targets")).isEmpty();
        Instant any = Instant.EPOCH;
        new TargetMemory(store.register())
                .add(
                        LeaseName.of("job"),
                        List.of(new KnownTarget("/srv/page.html", "host-1", "fence-1", FencingToken.of(7), any)));

        Result shown = api.get("/v1/targets?name=job");

        assertThat(shown.body().at("/targets/0/place").asString()).isEqualTo("/srv/page.html");
        assertThat(shown.body().at("/targets/0/host").asString()).isEqualTo("host-1");
        assertThat(shown.body().at("/targets/0/raised").asLong()).isEqualTo(7);
        assertThat(api.get("/v1/targets").problem()).isEqualTo("bad-request");
    }
}
