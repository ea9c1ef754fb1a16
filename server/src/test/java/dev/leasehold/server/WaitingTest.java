package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Stores;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.server.ApiClient.Result;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.ForwardingLeaseStore;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that wait for a lease. */
class WaitingTest {
    private static final LeaseName JOB = LeaseName.of("job");
    private static final Duration LONG = Duration.ofMinutes(10);

    @TempDir
    Path directory;

    private LeaseStore store;
    private LeaseholdServer server;
    private ApiClient api;
    private volatile boolean broken;

    @BeforeEach
    void startAServerWhoseLeaseIsHeld() throws Exception {
        store = Stores.create("file:" + directory.resolve("store"));
        server = SharedServer.start(new ForwardingLeaseStore(store) {
            @Override
            public Acquisition acquire(LeaseName name, AttemptId attempt, Holder holder, Duration ttl) {
                if (broken) {
                    throw new StoreUnavailableException("the disk is gone");
                }
                return super.acquire(name, attempt, holder, ttl);
            }
        });
        api = new ApiClient(server.uri(), OpenApiDocument.served());
    }

    @AfterEach
    void stopTheServer() {
        server.close();
        store.close();
    }

    private Grant hold(Duration ttl) {
        return ((Acquisition.Granted)
                        store.acquire(JOB, AttemptId.of(UUID.randomUUID().toString()), Holder.of("first"), ttl))
                .grant();
    }

    private CompletableFuture<Result> waitFor(String holder, long millis) {
        int before = server.waiting();
        CompletableFuture<Result> answer = CompletableFuture.supplyAsync(() -> api.post(
                "/v1/leases/acquire",
                "{'name':'job','ttlMs':60000,'holder':'%s','attempt':'attempt-%s','waitMs':%d}",
                holder,
                holder,
                millis));
        await(() -> server.waiting() > before || answer.isDone());
        return answer;
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(end);
            Thread.onSpinWait();
        }
    }

    @Test
    void aLeaseThatIsGivenBackIsPassedOnInTheOrderOfTheClients() throws Exception {
        hold(LONG);
        List<CompletableFuture<Result>> clients = new ArrayList<>();
        for (String holder : List.of("client-1", "client-2", "client-3")) {
            clients.add(waitFor(holder, 60_000));
        }
        for (int i = 0; i < 3; i++) {
            assertThat(api.post("/v1/leases/release", "{'name':'job','token':%d}", i + 1)
                            .status())
                    .isEqualTo(200);
            Result grant = clients.get(i).get(60, TimeUnit.SECONDS);
            assertThat(grant.number("token")).isEqualTo(i + 2);
            assertThat(grant.text("holder")).isEqualTo("client-" + (i + 1));
        }
        assertThat(server.waiting()).isZero();
    }

    @Test
    void aLeaseThatIsGivenBackElsewhereOrExpiresIsNoticed() throws Exception {
        Grant held = hold(LONG);
        CompletableFuture<Result> client = waitFor("client-1", 60_000);
        store.release(held, Duration.ZERO);
        assertThat(client.get(60, TimeUnit.SECONDS).number("token")).isEqualTo(2);

        api.post("/v1/leases/release", "{'name':'job','token':2}");
        hold(Duration.ofSeconds(1));
        Result grant = waitFor("client-2", 60_000).get(60, TimeUnit.SECONDS);
        assertThat(grant.body().at("/transfer/reason").asString()).isEqualTo("expired");
    }

    @Test
    void aKeyThatIsRevokedWhileItsClientWaitsGetsNoLease() throws Exception {
        Grant held = hold(LONG);
        AccessKeys keys = new AccessKeys(store.register());
        AccessKeys.Made revoked = keys.add("alice", Role.HOLDER, "", null);
        AccessKeys.Made valid = keys.add("bob", Role.HOLDER, "", null);
        api = api.with(revoked.text());
        CompletableFuture<Result> first = waitFor("client-1", 60_000);
        api = api.with(valid.text());
        CompletableFuture<Result> second = waitFor("client-2", 60_000);
        keys.revoke(revoked.key().id());

        assertThat(first.get(60, TimeUnit.SECONDS).problem()).isEqualTo("unauthorized");
        assertThat(second).isNotDone();
        store.release(held, Duration.ZERO);
        assertThat(second.get(60, TimeUnit.SECONDS).text("holder")).isEqualTo("client-2");
        assertThat(store.history(JOB, 10)).hasSize(2);
    }

    @Test
    void aClientWhoseTimeIsUpLearnsWhoHasTheLease() throws Exception {
        hold(LONG);
        Result busy = waitFor("client-1", 300).get(60, TimeUnit.SECONDS);
        assertThat(busy.problem()).isEqualTo("busy");
        assertThat(busy.text("holder")).isEqualTo("first");
        assertThat(server.waiting()).isZero();
    }

    /** Somebody presses Ctrl-C while curl waits. */
    @Test
    void aClientThatHangsUpIsGrantedNothing() throws Exception {
        Grant held = hold(LONG);
        try (Socket client = RawHttp.connect(server.uri())) {
            RawHttp.send(client, acquireCall("job"));
            await(() -> server.waiting() == 1);
        }
        await(() -> server.waiting() == 0);
        store.release(held, Duration.ZERO);
        TimeUnit.MILLISECONDS.sleep(500);
        assertThat(store.history(JOB, 9)).hasSize(1);
    }

    private static String acquireCall(String name) {
        String body = "{\"name\":\"" + name + "\",\"ttlMs\":60000,\"waitMs\":600000}";
        return "POST /v1/leases/acquire HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
                + body.length() + "\r\n\r\n" + body;
    }

    @Test
    void aStoreThatFailsIsReportedToEveryoneWhoWaits() throws Exception {
        hold(LONG);
        CompletableFuture<Result> first = waitFor("client-1", 60_000);
        CompletableFuture<Result> second = waitFor("client-2", 60_000);
        broken = true;
        for (CompletableFuture<Result> client : List.of(first, second)) {
            Result failed = client.get(60, TimeUnit.SECONDS);
            assertThat(failed.problem()).isEqualTo("store-unavailable");
            assertThat(failed.text("attempt")).startsWith("attempt-client-");
        }
    }

    @Test
    void aServerThatStopsSendsItsClientsToAnotherOne() throws Exception {
        hold(LONG);
        CompletableFuture<Result> client = waitFor("client-1", 60_000);
        server.close();
        Result sent = client.get(60, TimeUnit.SECONDS);
        assertThat(sent.problem()).isEqualTo("stopping");
        assertThat(sent.text("attempt")).isEqualTo("attempt-client-1");
        assertThat(sent.response().headers().firstValue("Retry-After")).isPresent();
    }

    @Test
    void clientsThatWaitHoldNoThreads() throws Exception {
        hold(LONG);
        long before = serverThreads();
        int clients = 1000;
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < clients; i++) {
                Socket socket = RawHttp.connect(server.uri());
                sockets.add(socket);
                RawHttp.send(socket, acquireCall("job"));
            }
            await(() -> server.waiting() == clients);
            // The threads for the store have all started by then, because each client asks it once.
            assertThat(serverThreads()).isLessThan(before + 80);
            assertThat(api.get("/readyz").status()).isEqualTo(200);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
        await(() -> server.waiting() == 0);
    }

    /** Of all servers of this JVM. */
    private static long serverThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("leasehold-server"))
                .count();
    }
}
