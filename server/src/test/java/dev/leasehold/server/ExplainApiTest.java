package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.events.KnownTarget;
import dev.leasehold.events.RunEntry;
import dev.leasehold.events.RunLog;
import dev.leasehold.events.RunOrigin;
import dev.leasehold.events.TargetMemory;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.server.ApiClient.Result;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.ForwardingLeaseStore;
import dev.leasehold.work.WorkId;
import dev.leasehold.work.WorkLedger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a person who looks needs: everything about one lease, and lists over all names. */
abstract class ExplainApiTest extends ApiFixture {
    private static final LeaseName JOB = LeaseName.of("job");

    private void addRuns(int count) {
        RunLog log = new RunLog(store.register());
        for (int i = 0; i < count; i++) {
            log.append(
                    JOB,
                    new RunEntry(
                                    Instant.EPOCH,
                                    "ran",
                                    FencingToken.of(1),
                                    Holder.of("host-1"),
                                    Duration.ofSeconds(20),
                                    "",
                                    new RunEntry.Renewals(
                                            Duration.ofSeconds(30), Duration.ofSeconds(10), 2, Duration.ofSeconds(11)))
                            .from(new RunOrigin("backup.sh", "root", "host-1", "/srv")));
        }
    }

    @Test
    void aLeaseIsExplainedWithItsEvidence() {
        acquire("job");
        addRuns(5);
        new TargetMemory(store.register())
                .add(JOB, List.of(new KnownTarget("/srv/a.html", "host-1", null, FencingToken.of(1), Instant.EPOCH)));
        new RunLog(store.register())
                .append(
                        JOB,
                        new RunEntry(
                                Instant.EPOCH,
                                "changed_outside",
                                FencingToken.of(1),
                                Holder.of("host-1"),
                                Duration.ZERO,
                                "/srv/a.html: it was changed"));
        api.post("/v1/once/begin", "{'id':'operation-1','name':'job','token':1}");

        Result told = api.get("/v1/leases/explain?name=job");

        assertThat(told.text("health")).isEqualTo("alive");
        assertThat(told.body().at("/explanation/0").asString()).startsWith("job is held by alice (token 1) since ");
        assertThat(told.body().at("/lease/token").asLong()).isEqualTo(1);
        assertThat(told.body().path("history")).hasSize(1);
        assertThat(told.body().path("runs")).hasSize(6);
        assertThat(told.body().at("/runs/1/origin/command").asString()).isEqualTo("backup.sh");
        assertThat(told.body().at("/runs/1/renewals/longestGapMs").asLong()).isEqualTo(11_000);
        assertThat(told.body().at("/counters/ran").asLong()).isEqualTo(5);
        assertThat(told.body().at("/unknownEffects/0/operation").asString()).isEqualTo("operation-1");
        assertThat(told.body().at("/targets/0/holder").asString()).isEqualTo("alice");
        assertThat(told.body().at("/targets/0").has("changedOutside")).isTrue();
        assertThat(told.body().at("/advice/renewed/ttlMs").asLong()).isEqualTo(10_000);
        assertThat(told.body().path("damage")).isEmpty();
    }

    @Test
    void aLeaseThatWasNeverHeldIsExplainedToo() {
        Result told = api.get("/v1/leases/explain?name=never");
        assertThat(told.body().at("/explanation/0").asString())
                .isEqualTo("never is free: it was never held in this store.");
        assertThat(told.body().has("lease")).isFalse();
    }

    @Test
    void damageToOnePartDoesNotHideTheOthers() throws Exception {
        acquire("job");
        LeaseStore damaged = new ForwardingLeaseStore(store) {
            @Override
            public Optional<LeaseSnapshot> inspect(LeaseName name) {
                throw new StoreCorruptException("the record is damaged");
            }
        };
        try (LeaseholdServer other = SharedServer.start(damaged)) {
            Result told = new ApiClient(other.uri(), DOCUMENT).get("/v1/leases/explain?name=job");
            assertThat(told.body().at("/damage/0").asString()).isEqualTo("the record is damaged");
            assertThat(told.body().at("/explanation/0").asString()).contains("cannot be read");
            assertThat(told.body().path("history")).hasSize(1);
        }
    }

    @Test
    void aListTellsWhatItCouldNotRead() {
        WorkLedger.over(store).claim(acquireInTheStore("job"), WorkId.of("job", "key"), null);
        String item = store.register().keys("work#", "", 1).get(0);
        for (String key : List.of("slots/job", "targets/job", item)) {
            CasRegister.Reading before = store.register().read(key);
            assertThat(store.register().compareAndSet(key, before.version(), "overwritten"))
                    .isTrue();
        }
        for (String call : List.of("/v1/jobs", "/v1/targets/all", "/v1/work/all")) {
            Result told = api.get(call);
            assertThat(told.status()).isEqualTo(200);
            assertThat(told.body().path("damaged")).as(call).hasSize(1);
            assertThat(told.body().at("/damaged/0").asString()).contains("job");
        }
    }

    @Test
    void someLeasesAreReadByTheirNames() {
        acquire("a");
        acquire("b");
        acquire("c");
        assertThat(api.get("/v1/leases?names=c,a,never").body().path("leases").findValuesAsString("name"))
                .containsExactly("c", "a");
        assertThat(api.get("/v1/leases?names=a&limit=1").status()).isEqualTo(400);
        assertThat(api.get("/v1/leases?names=a,,b").status()).isEqualTo(400);
        assertThat(api.get("/v1/leases?names=" + "a,".repeat(100) + "a").status())
                .isEqualTo(400);
    }

    @Test
    void aKeySaysWhatItIsFor() {
        Result anybody = api.get("/v1/access");
        assertThat(anybody.body().has("owner")).isFalse();
        assertThat(anybody.text("role")).isEqualTo("operator");
        String key = new AccessKeys(store.register())
                .add("bob", Role.READER, "team-a/", null)
                .text();
        Result known = api.with(key).get("/v1/access");
        assertThat(known.text("owner") + " " + known.text("role") + " " + known.text("prefix"))
                .isEqualTo("bob reader team-a/");
    }

    /** With lists of all names, a key must see its own only, and the place where a page goes on is its own. */
    @Test
    void listsOverAllNamesHaveOnlyTheNamesOfTheKey() {
        for (String name : List.of("team-a/1", "team-b/1", "team-b/2", "team-c/1")) {
            acquire(name);
            api.post("/v1/fences/raise", "{'resource':'%s','name':'%s','token':1}", name, name);
            api.post("/v1/work/claim", "{'name':'%s','token':1,'key':'k1'}", name);
            api.post("/v1/work/claim", "{'name':'%s','token':1,'key':'k2'}", name);
            new TargetMemory(store.register())
                    .add(
                            LeaseName.of(name),
                            List.of(new KnownTarget("/" + name, "host", null, FencingToken.of(1), Instant.EPOCH)));
        }
        String key = new AccessKeys(store.register())
                .add("bob", Role.READER, "team-b/", null)
                .text();
        for (String list : List.of("/v1/fences", "/v1/work/all", "/v1/targets/all")) {
            ApiClient bob = api.with(key);
            String after = "";
            int found = 0;
            for (int i = 0; i < 10; i++) {
                Result page = bob.get(list + "?limit=1" + after);
                assertThat(page.response().body()).as(list).doesNotContain("team-a", "team-c");
                found += page.response().body().split("\"name\":\"team-b/").length - 1;
                if (!page.body().has("next")) {
                    break;
                }
                after = "&after=" + page.text("next").replace("#", "%23");
            }
            assertThat(found).as(list).isEqualTo(list.contains("work") ? 4 : 2);
            assertThat(bob.get(list + "?prefix=team-a").response().body()).doesNotContain("team-a/");
        }
        assertThat(api.with(key).get("/v1/leases?names=team-a/1").problem()).isEqualTo("forbidden");
        assertThat(api.with(key).get("/v1/work/all?after=nonsense").status()).isEqualTo(400);
    }

    @Test
    void aWorkItemIsOpenedAgain() {
        acquire("job");
        String retry = "{'name':'job','key':'k','reason':'wrong prices'}";
        assertThat(api.post("/v1/work/retry", retry).problem()).isEqualTo("no-such-work");
        api.post("/v1/work/claim", "{'name':'job','token':1,'key':'k'}");
        assertThat(api.post("/v1/work/retry", retry).problem()).isEqualTo("running-elsewhere");
        api.post("/v1/work/fail", "{'name':'job','token':1,'key':'k','error':'no disk'}");
        assertThat(api.get("/v1/work/all?state=failed").body().path("items")).hasSize(1);
        assertThat(api.get("/v1/work/all?state=done").body().path("items")).isEmpty();

        Result opened = api.post("/v1/work/retry", retry);

        assertThat(opened.text("outcome")).isEqualTo("open");
        assertThat(opened.body().at("/item/reason").asString()).isEqualTo("wrong prices");
    }

    @Test
    void aReleaseWithAReasonIsInTheLogOfRuns() {
        acquire("job");
        assertThat(api.post("/v1/leases/release", "{'name':'job','token':1,'reason':'left behind'}")
                        .text("outcome"))
                .isEqualTo("released");
        assertThat(new RunLog(store.register()).of(JOB).newestFirst())
                .extracting(entry -> entry.kind() + " " + entry.holder() + " " + entry.detail())
                .containsExactly("released http-client left behind");
    }
}
