package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leases;
import dev.leasehold.jobs.DueSlots;
import dev.leasehold.jobs.Job;
import dev.leasehold.jobs.JobListener;
import dev.leasehold.server.ApiClient.Result;
import dev.leasehold.store.MemoryLeaseStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What Prometheus reads from a server. */
abstract class MetricsApiTest extends ApiFixture {
    private static String scrape(ApiClient client) {
        Result answer = client.get("/metrics");
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
        return answer.response().body();
    }

    private String scrape() {
        return scrape(api);
    }

    @Test
    void whatClientsGetIsCounted() {
        acquire("a");
        acquire("a");
        api.post("/v1/leases/renew", "{'grants':[{'name':'a','token':1,'ttlMs':60000}]}");
        api.post("/v1/fences/raise", "{'name':'a','token':1,'resource':'r'}");
        api.post("/v1/leases/takeover", "{'name':'a','reason':'it hangs','ttlMs':60000}");
        api.post("/v1/leases/renew", "{'grants':[{'name':'a','token':1,'ttlMs':60000}]}");
        api.post("/v1/fences/raise", "{'name':'a','token':2,'resource':'r'}");
        api.post("/v1/fences/admit", "{'name':'a','token':1,'resource':'r'}");
        api.post("/v1/leases/release", "{'name':'a','token':2}");
        assertThat(scrape())
                .contains(
                        "leasehold_acquisitions_total{reason=\"first\"} 1.0",
                        "leasehold_acquisitions_total{reason=\"takeover\"} 1.0",
                        "leasehold_busy_total 1.0",
                        "leasehold_renewals_total 1.0",
                        "leasehold_losses_total{kind=\"superseded\"} 1.0",
                        "leasehold_losses_total{kind=\"lapsed\"} 0.0",
                        "leasehold_interventions_total{reason=\"takeover\"} 1.0",
                        "leasehold_refusals_total 1.0",
                        "leasehold_releases_total{outcome=\"released\"} 1.0",
                        "leasehold_store_calls_seconds_count{operation=\"renew\",outcome=\"answered\"} 2",
                        "leasehold_server_requests_seconds_count{call=\"/v1/leases/acquire\",status=\"200\"} 1",
                        "leasehold_server_requests_seconds_count{call=\"/v1/leases/acquire\",status=\"409\"} 1",
                        "leasehold_server_requests_seconds_count{call=\"/v1/fences/admit\",status=\"412\"} 1",
                        "leasehold_server_waiting 0.0",
                        "leasehold_store_up 1.0",
                        "jvm_memory_used_bytes");
    }

    /** The server asks the store many times for a client that waits. */
    @Test
    void aClientThatWaitsInVainIsBusyOnce() {
        acquire("a");
        api.post("/v1/leases/acquire", "{'name':'a','ttlMs':60000,'waitMs':1000}");
        assertThat(scrape()).contains("leasehold_busy_total 1.0");
    }

    @Test
    void theJobsOfAllMachinesAreShown() throws Exception {
        try (Leases leases = Leases.open("file:" + directory.resolve("store"))) {
            DueSlots.run(
                    leases,
                    Job.named("nightly").cron("0 0 1 1 *").run(run -> {}).build(),
                    JobListener.NONE);
        }
        String text = scrape();
        for (int i = 0; i < 300 && !text.contains("leasehold_jobs_known 1.0"); i++) {
            // The first reading of a slow machine may take longer than a scrape waits.
            TimeUnit.MILLISECONDS.sleep(100);
            text = scrape();
        }
        assertThat(text)
                .contains(
                        "leasehold_jobs_known 1.0",
                        "leasehold_jobs_overdue_seconds 0.0",
                        "leasehold_jobs_open_slots{state=\"queued\"} 0.0",
                        "leasehold_jobs_outcomes_total{outcome=\"failed\"} 0.0",
                        "leasehold_jobs_skipped_overlap_total 0.0");
    }

    @Test
    void nothingThatAClientChoosesIsALabel() throws Exception {
        acquire("secret-project");
        for (String line : List.of(
                "GET /v1/secret-path HTTP/1.1",
                "GET /v1/secret%22%0A%7D HTTP/1.1",
                "GET /v1/\"secret HTTP/1.1",
                "SECRET /v1/leases HTTP/1.1",
                "GET /v1/leases?secret=1 HTTP/1.1",
                "secret")) {
            RawHttp.exchange(server.uri(), line + "\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        }
        assertThat(scrape()).doesNotContainIgnoringCase("secret").contains("call=\"unknown\"");
    }

    @Test
    void aKeyOfATeamDoesNotSeeTheNumbersOfAll() throws Exception {
        AccessKeys keys = new AccessKeys(store.register());
        String team = keys.add("team", Role.OPERATOR, "team-a/", null).text();
        String reader = keys.add("prometheus", Role.READER, "", null).text();
        TimeUnit.MILLISECONDS.sleep(1100);
        Result refused = api.with(team).get("/metrics");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.problem()).isEqualTo("forbidden");
        assertThat(refused.text("detail")).contains("team-a/", "all names");
        assertThat(api.get("/metrics").status()).isEqualTo(401);
        assertThat(scrape(api.with(reader))).contains("leasehold_store_up 1.0");
    }

    @Test
    void aStoreThatFailsOrHangsDoesNotHideTheNumbers() throws Exception {
        SwitchedStore switched = new SwitchedStore(new MemoryLeaseStore());
        AccessKeys keys = new AccessKeys(switched.store().register());
        String reader = keys.add("prometheus", Role.READER, "", null).text();
        String other = keys.add("other", Role.READER, "", null).text();
        try (LeaseholdServer server = SharedServer.start(switched.store())) {
            ApiClient client = new ApiClient(server.uri(), DOCUMENT);
            assertThat(scrape(client.with(reader))).contains("leasehold_store_up 1.0");
            switched.fail();
            // Key and numbers are read again after some seconds at most.
            TimeUnit.SECONDS.sleep(6);
            assertThat(scrape(client.with(reader)))
                    .contains("leasehold_store_up 0.0", "leasehold_acquisitions_total{reason=\"first\"} 0.0");
            // The store cannot be asked about a key that it was never asked about.
            assertThat(client.with(other).get("/metrics").status()).isEqualTo(503);
            switched.answer();
            TimeUnit.SECONDS.sleep(6);
            assertThat(scrape(client.with(reader))).contains("leasehold_store_up 1.0");
            switched.hang();
            TimeUnit.SECONDS.sleep(6);
            List<Result> answers = together(200, client.with(reader));
            assertThat(answers).extracting(Result::status).isSubsetOf(200, 503);
            assertThat(answers.stream().filter(answer -> answer.status() == 200))
                    .hasSizeGreaterThan(10)
                    .allMatch(answer -> answer.response().body().contains("leasehold_store_up 0.0"));
            switched.answer();
        }
    }

    /** All calls that wait for the store hang with it, and no thread is left for another one. */
    @Test
    void callsThatHangDoNotKeepPrometheusOut() throws Exception {
        SwitchedStore switched = new SwitchedStore(new MemoryLeaseStore());
        ExecutorService threads = Executors.newFixedThreadPool(60);
        try (LeaseholdServer server = SharedServer.start(switched.store())) {
            ApiClient client = new ApiClient(server.uri(), DOCUMENT);
            scrape(client);
            switched.hang();
            for (int i = 0; i < 60; i++) {
                threads.execute(() -> client.get("/v1/leases/one?name=a"));
            }
            TimeUnit.SECONDS.sleep(6);
            assertThat(scrape(client)).contains("leasehold_store_up 0.0");
            switched.answer();
        } finally {
            threads.shutdownNow();
        }
    }

    private static List<Result> together(int number, ApiClient client) {
        ExecutorService threads = Executors.newFixedThreadPool(50);
        try {
            List<CompletableFuture<Result>> answers = new ArrayList<>();
            for (int i = 0; i < number; i++) {
                answers.add(CompletableFuture.supplyAsync(() -> client.get("/metrics"), threads));
            }
            return answers.stream()
                    .map(answer -> answer.orTimeout(30, TimeUnit.SECONDS).join())
                    .toList();
        } finally {
            threads.shutdownNow();
        }
    }
}
