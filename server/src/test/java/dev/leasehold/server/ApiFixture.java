package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Stores;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.server.ApiClient.Result;
import dev.leasehold.spi.LeaseStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A server over an empty store for each test, and the document that answers must match. */
abstract class ApiFixture {
    /** Shared, so that it knows what all tests together have seen. */
    static final OpenApiDocument DOCUMENT = OpenApiDocument.served();

    /** A correct body for each call that has one. */
    static final Map<String, String> BODIES = new TreeMap<>();

    static {
        String grant = "{'name':'a','token':1";
        String work = grant + ",'key':'k'";
        String once = grant + ",'id':'operation-1'";
        String fence = grant + ",'resource':'a'}";
        String move = "{'name':'a','reason':'r'";
        BODIES.put("/v1/leases/acquire", "{'name':'a','ttlMs':1,'attempt':'attempt-0001'}");
        BODIES.put("/v1/leases/renew", "{'grants':[{'name':'a','token':1,'ttlMs':1}]}");
        BODIES.put("/v1/leases/release", grant + "}");
        BODIES.put("/v1/leases/progress", grant + "}");
        BODIES.put("/v1/leases/abandon", "{'name':'a','attempt':'attempt-0001'}");
        BODIES.put("/v1/leases/forget", "{'names':[{'name':'a','token':1}]}");
        BODIES.put("/v1/leases/erase-scratch", "{'name':'leasehold-scratch/a'}");
        BODIES.put(
                "/v1/agent-hook", "{'agent':'claude','event':{'hook_event_name':'Stop','session_id':'s','cwd':'/'}}");
        BODIES.put("/v1/leases/takeover", move + ",'ttlMs':1}");
        BODIES.put("/v1/leases/cancel", move + "}");
        BODIES.put("/v1/leases/repair", move + "}");
        BODIES.put("/v1/fences/raise", fence);
        BODIES.put("/v1/fences/admit", fence);
        BODIES.put("/v1/fences/admit-once", fence);
        BODIES.put("/v1/work/claim", work + "}");
        BODIES.put("/v1/work/checkpoint", work + ",'checkpoint':'c'}");
        BODIES.put("/v1/work/complete", work + "}");
        BODIES.put("/v1/work/fail", work + ",'error':'e'}");
        BODIES.put("/v1/work/retry", "{'name':'a','key':'k','reason':'r'}");
        BODIES.put("/v1/once/begin", once + "}");
        BODIES.put("/v1/once/made", once + "}");
        BODIES.put("/v1/once/not-made", once + "}");
        BODIES.put("/v1/once/settle", once + ",'made':true}");
        BODIES.put("/v1/jobs/start", "{'name':'a'}");
        BODIES.put("/v1/jobs/pause", move + "}");
        BODIES.put("/v1/jobs/resume", move + "}");
        BODIES.put("/v1/register/set", "{'key':'work#a#k','expected':'','value':''}");
        BODIES.put("/v1/register/remove", "{'key':'work#a#k','expected':''}");
    }

    /** How many of the calls below need no key. They are at the end. */
    static final int OPEN = 3;

    static final List<String> GETS = List.of(
            "/v1/leases",
            "/v1/leases/names",
            "/v1/leases/one?name=a",
            "/v1/leases/history?name=a",
            "/v1/leases/explain?name=a",
            "/v1/leases?names=a",
            "/v1/fences",
            "/v1/fences/one?resource=a",
            "/v1/work?name=a",
            "/v1/work/one?name=a&key=b",
            "/v1/work/all",
            "/v1/once?name=a&id=operation-1",
            "/v1/targets?name=a",
            "/v1/targets/all",
            "/v1/jobs",
            "/v1/jobs/one?name=a",
            "/v1/store",
            "/v1/access",
            "/v1/register?key=work%23a%23k",
            "/v1/register/keys",
            "/v1/register/versions",
            "/metrics",
            "/healthz",
            "/readyz",
            "/openapi.json");

    @TempDir
    Path directory;

    LeaseStore store;
    LeaseholdServer server;
    ApiClient api;

    @BeforeEach
    void startAServer() throws Exception {
        store = Stores.create("file:" + directory.resolve("store"));
        server = SharedServer.start(store);
        api = new ApiClient(server.uri(), DOCUMENT);
    }

    @AfterEach
    void stopTheServer() {
        server.close();
        store.close();
    }

    Result acquire(String name) {
        return api.post("/v1/leases/acquire", "{'name':'%s','ttlMs':60000,'holder':'alice'}", name);
    }

    /** Not through the server. */
    Grant acquireInTheStore(String name) {
        AttemptId attempt = AttemptId.of(UUID.randomUUID().toString());
        return ((Acquisition.Granted)
                        store.acquire(LeaseName.of(name), attempt, Holder.of("bob"), Duration.ofMinutes(1)))
                .grant();
    }

    static void await(BooleanSupplier condition) throws InterruptedException {
        for (int i = 0; i < 300 && !condition.getAsBoolean(); i++) {
            Thread.sleep(100);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }
}
