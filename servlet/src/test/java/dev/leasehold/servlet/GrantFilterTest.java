package dev.leasehold.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Lease;
import dev.leasehold.LeaseCounters;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leases;
import dev.leasehold.http.CallResult;
import dev.leasehold.http.GrantHeader;
import dev.leasehold.http.LeasedHttpClient;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreId;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.testkit.ManualContext;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A service of a user, with a filter at its door and its own PostgreSQL, and callers whose lease moves on. */
class GrantFilterTest {
    private static final LeaseName NAME = LeaseName.of("ledger");

    private static EmbeddedPostgres postgres;

    private final ManualContext manual = new ManualContext();
    private final LeaseCounters counters = new LeaseCounters();
    private final Leases leases = Leases.over(new MemoryLeaseStore(StoreId.of("store-of-the-test"), manual.clock()))
            .context(manual.context())
            .listener(counters)
            .build();
    private final HttpClient plain = HttpClient.newHttpClient();
    private final LeasedHttpClient client = LeasedHttpClient.over(plain);
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch wake = new CountDownLatch(1);
    private LedgerService service;

    @BeforeAll
    static void startDatabase() throws IOException {
        postgres = EmbeddedPostgres.start();
    }

    @AfterAll
    static void stopDatabase() throws IOException {
        postgres.close();
    }

    @BeforeEach
    void prepare() throws Exception {
        service = new LedgerService(postgres.getPostgresDatabase());
    }

    @AfterEach
    void stop() throws Exception {
        wake.countDown();
        service.close();
        leases.close();
    }

    private Lease acquire() {
        return leases.tryAcquire(NAME.value()).lease().orElseThrow();
    }

    /** The one who held the lease does not notice: its heartbeat is not due before the test says so. */
    private Lease succeed(Lease zombie) {
        return leases.takeOver(
                        NAME,
                        zombie.terms(),
                        zombie.grant().token(),
                        AttemptId.of("successor-of-" + zombie.grant().token()),
                        Note.of("it hangs"))
                .orElseThrow();
    }

    private HttpRequest.Builder put(String body) {
        return HttpRequest.newBuilder(service.uri()).PUT(BodyPublishers.ofString(body));
    }

    private CallResult<String> call(Lease lease, String body) throws Exception {
        return client.send(lease, put(body), BodyHandlers.ofString());
    }

    private HttpResponse<String> callWith(Grant grant) throws Exception {
        return plain.send(GrantHeader.on(put("entry"), grant).build(), BodyHandlers.ofString());
    }

    private static void assertWritten(CallResult<String> result) {
        assertThat(result).isInstanceOfSatisfying(CallResult.Answered.class, answered -> assertThat(
                        answered.response().body())
                .isEqualTo("written"));
    }

    private static JsonNode problem(HttpResponse<String> response, int status, String type) {
        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(response.headers().firstValue(GrantHeader.REFUSED)).hasValue(type);
        JsonNode body = JsonMapper.shared().readTree(response.body());
        assertThat(body.get("type").asString()).isEqualTo("urn:leasehold:problem:" + type);
        assertThat(body.get("status").asInt()).isEqualTo(status);
        assertThat(body.get("title").asString()).isNotEmpty();
        assertThat(body.get("detail").asString()).isNotEmpty();
        return body;
    }

    @Test
    void aZombieIsRefusedAtTheDoor() throws Exception {
        service.start(service.door());
        Lease zombie = acquire();
        assertWritten(call(zombie, "first"));
        Lease successor = succeed(zombie);
        assertWritten(call(successor, "second"));

        assertThat(zombie.isTrusted()).isTrue();
        assertThat(call(zombie, "late"))
                .isEqualTo(
                        new CallResult.Stale<>(zombie.grant(), successor.grant().token()));
        assertThat(service.entered()).isEqualTo(2);
        assertThat(service.entry()).isEqualTo("second");
        assertThat(counters.counts()).containsEntry("stale_refused", 1L);

        JsonNode fence = problem(callWith(zombie.grant()), 412, "stale").get("fence");
        assertThat(fence.get("resource").asString()).isEqualTo("ledger");
        assertThat(fence.get("raised").asLong()).isEqualTo(2);
    }

    /** Freezes the first request behind the door, and returns its answer. */
    private CompletableFuture<CallResult<String>> frozenBehindTheDoor(Lease zombie) throws Exception {
        service.pause(body -> {
            if (body.equals("late")) {
                arrived.countDown();
                assertThat(wake.await(60, TimeUnit.SECONDS)).isTrue();
            }
        });
        CompletableFuture<CallResult<String>> late = client.sendAsync(zombie, put("late"), BodyHandlers.ofString());
        assertThat(arrived.await(60, TimeUnit.SECONDS)).isTrue();
        return late;
    }

    @Test
    void aZombieThatStallsBehindTheDoorIsRefusedInTheTransaction() throws Exception {
        service.start(service.door());
        Lease zombie = acquire();
        CompletableFuture<CallResult<String>> late = frozenBehindTheDoor(zombie);
        Lease successor = succeed(zombie);
        assertWritten(call(successor, "second"));
        wake.countDown();

        assertThat(late.get(60, TimeUnit.SECONDS))
                .isEqualTo(
                        new CallResult.Stale<>(zombie.grant(), successor.grant().token()));
        assertThat(service.entry()).isEqualTo("second");
    }

    /** What the documentation says of a service that relies on the door: the window is real. */
    @Test
    void withTheDoorAloneAZombieThatStallsBehindItWritesLate() throws Exception {
        service.withoutTransactionCheck().start(service.door());
        Lease zombie = acquire();
        CompletableFuture<CallResult<String>> late = frozenBehindTheDoor(zombie);
        assertWritten(call(succeed(zombie), "second"));
        wake.countDown();

        assertWritten(late.get(60, TimeUnit.SECONDS));
        assertThat(service.entry()).isEqualTo("late");
    }

    @Test
    void aHandlerThatAsksInItsTransactionNeedsNoCheckAtTheDoor() throws Exception {
        service.start(GrantFilter.reading());
        Lease zombie = acquire();
        assertWritten(call(zombie, "first"));
        Lease successor = succeed(zombie);
        assertWritten(call(successor, "second"));

        assertThat(call(zombie, "late"))
                .isEqualTo(
                        new CallResult.Stale<>(zombie.grant(), successor.grant().token()));
        assertThat(service.entered()).isEqualTo(3);
        assertThat(service.entry()).isEqualTo("second");
    }

    @Test
    void aLeaseThatIsLostSendsNothing() throws Exception {
        service.start(service.door());
        Lease lease = acquire();
        manual.freeze(Duration.ofMinutes(10));

        assertThatThrownBy(() -> call(lease, "late")).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> client.sendAsync(lease, put("late"), BodyHandlers.ofString()))
                .isInstanceOf(LeaseLostException.class);
        assertThat(service.entered()).isZero();
    }

    @Test
    void aResourceBelongsToOneLeaseAndALeaseMayHaveManyResources() throws Exception {
        service.start(service.door().resource(request -> request.getParameter("book")));
        Grant first = acquire().grant();
        Grant other = leases.tryAcquire("another").lease().orElseThrow().grant();
        for (String book : new String[] {"a", "b"}) {
            assertThat(plain.send(toBook(first, book), BodyHandlers.ofString()).body())
                    .isEqualTo("written");
        }

        HttpResponse<String> refused = plain.send(toBook(other, "a"), BodyHandlers.ofString());
        assertThat(problem(refused, 409, "wrong-fence").get("detail").asString())
                .contains("'a'", "ledger", "another");
        assertThat(plain.send(toBook(other, "c"), BodyHandlers.ofString()).body())
                .isEqualTo("written");
        assertThat(service.entered()).isEqualTo(3);
        // The name of a resource comes from the caller here, and not every text is one.
        problem(plain.send(toBook(first, "%0a"), BodyHandlers.ofString()), 400, "bad-request");
        problem(plain.send(toBook(first, "a".repeat(401)), BodyHandlers.ofString()), 400, "bad-request");
        problem(callWith(first), 400, "bad-request");
        assertThat(service.entered()).isEqualTo(3);
    }

    private HttpRequest toBook(Grant grant, String book) {
        return GrantHeader.on(put("entry").uri(service.uri().resolve("?book=" + book)), grant)
                .build();
    }

    @Test
    void aGrantOfAnotherStoreIsRefused() throws Exception {
        service.start(service.door());
        Grant known = acquire().grant();
        assertThat(callWith(known).statusCode()).isEqualTo(200);
        Grant foreign = new Grant(NAME, FencingToken.of(99), known.attempt(), StoreId.of("another-store"));

        problem(callWith(foreign), 412, "wrong-store");
        assertThat(callWith(known).statusCode()).as("nothing was raised").isEqualTo(200);
        assertThat(service.entered()).isEqualTo(2);
    }

    @Test
    void aTokenThatWasIssuedTwiceIsRefused() throws Exception {
        service.start(service.door());
        Lease lease = acquire();
        Grant twin = new Grant(
                NAME,
                lease.grant().token(),
                AttemptId.of("another-attempt"),
                lease.grant().store());
        assertThat(callWith(twin).statusCode()).isEqualTo(200);

        assertThat(call(lease, "entry"))
                .isInstanceOfSatisfying(CallResult.Stale.class, stale -> assertThat(stale.explanation())
                        .contains("went back", "leasehold repair ledger"));
    }

    @Test
    void aCallWithoutAGrantIsRefusedUnlessTheFilterSaysOtherwise() throws Exception {
        service.start(service.door().only(request -> !request.getMethod().equals("GET")));
        HttpRequest unguarded = put("entry").build();
        HttpRequest read = HttpRequest.newBuilder(service.uri()).build();

        problem(plain.send(unguarded, BodyHandlers.ofString()), 428, "grant-required");
        assertThat(service.entered()).isZero();
        assertThat(plain.send(read, BodyHandlers.ofString()).body()).isEqualTo("read");
        service.close();

        try (LedgerService lenient = new LedgerService(postgres.getPostgresDatabase())) {
            lenient.start(lenient.door().optional());
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(lenient.uri()).PUT(BodyPublishers.ofString("unguarded"));
            assertThat(plain.send(request.build(), BodyHandlers.ofString()).body())
                    .isEqualTo("written");
            assertThat(lenient.entry()).isEqualTo("unguarded");
            request.setHeader(GrantHeader.NAME, "");
            problem(plain.send(request.build(), BodyHandlers.ofString()), 400, "bad-request");
        }
    }

    /** While a transaction of the zombie is open, the next holder waits at the door for its end. */
    @Test
    void aTransactionThatBeganInTimeEndsBeforeTheSuccessorEnters() throws Exception {
        service.start(service.door());
        Lease zombie = acquire();
        assertWritten(call(zombie, "first"));
        Lease successor = succeed(zombie);
        CompletableFuture<CallResult<String>> second;
        try (var connection = postgres.getPostgresDatabase().getConnection();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("update leasehold_fence set uses = uses + 1");
            second = client.sendAsync(successor, put("second"), BodyHandlers.ofString());
            assertThatThrownBy(() -> second.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            connection.commit();
        }
        assertWritten(second.get(60, TimeUnit.SECONDS));
        assertThat(service.entry()).isEqualTo("second");
    }

    @Test
    void aRefusalIsNotTakenForTheDocumentThatWasAskedFor(@TempDir Path folder) throws Exception {
        service.start(service.door());
        Lease zombie = acquire();
        assertWritten(call(succeed(zombie), "second"));
        Path file = folder.resolve("download");

        assertThat(client.send(zombie, put("late"), BodyHandlers.ofFile(file))).isInstanceOf(CallResult.Stale.class);
        assertThat(file).doesNotExist();
    }

    @Test
    void nobodyPassesWhileTheDatabaseIsDown() throws Exception {
        try (EmbeddedPostgres own = EmbeddedPostgres.start();
                LedgerService guarded = new LedgerService(own.getPostgresDatabase())) {
            guarded.start(guarded.door());
            Lease lease = acquire();
            HttpRequest.Builder request = HttpRequest.newBuilder(guarded.uri()).PUT(BodyPublishers.ofString("entry"));
            assertWritten(client.send(lease, request, BodyHandlers.ofString()));
            int port = own.getPort();
            own.close();

            CallResult<String> result = client.send(lease, request, BodyHandlers.ofString());
            assertThat(result).isInstanceOfSatisfying(CallResult.Refused.class, refused -> {
                assertThat(refused.status()).isEqualTo(503);
                assertThat(refused.reason()).isEqualTo("fence-unavailable");
                assertThat(refused.problem()).contains("not made").doesNotContain(String.valueOf(port), "localhost");
            });
            assertThat(guarded.entered()).isEqualTo(1);
        }
    }

    @Test
    void nobodyPassesIfTheFenceCannotBeMade() throws Exception {
        service.start(GrantFilter.raising(resource -> {
            throw new IllegalStateException("the pool is closed");
        }));
        HttpResponse<String> refused = callWith(acquire().grant());

        problem(refused, 503, "fence-unavailable");
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        assertThat(service.entered()).isZero();
    }
}
