package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Stores;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.server.ApiClient.Result;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keys: who may do what, and with which names. */
abstract class AccessApiTest extends ApiFixture {
    private ApiClient client(Role role, String prefix) {
        return api.with(key(role, prefix).text());
    }

    /** The server looks for the first key once in a second. */
    private AccessKeys.Made key(Role role, String prefix) {
        AccessKeys keys = new AccessKeys(store.register());
        boolean first = !keys.any();
        AccessKeys.Made made = keys.add("alice", role, prefix, null);
        if (first) {
            sleep(1100);
        }
        return made;
    }

    private static void sleep(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** At once: the answer to a wrong key takes a second. */
    private static List<Result> together(Stream<Supplier<Result>> calls) {
        ExecutorService threads = Executors.newFixedThreadPool(50);
        try {
            List<CompletableFuture<Result>> answers = calls.map(call -> CompletableFuture.supplyAsync(call, threads))
                    .toList();
            return answers.stream().map(CompletableFuture::join).toList();
        } finally {
            threads.shutdownNow();
        }
    }

    private static Stream<Supplier<Result>> everyCall(ApiClient client) {
        return Stream.concat(
                GETS.subList(0, GETS.size() - OPEN).stream().map(target -> () -> client.get(target)),
                BODIES.entrySet().stream().map(call -> () -> client.post(call.getKey(), call.getValue())));
    }

    @Test
    void fromTheFirstKeyOnEveryCallNeedsOne() {
        acquire("a");
        AccessKeys.Made made = key(Role.OPERATOR, "");
        String wrong = made.text().substring(0, made.text().length() - 1) + "?";
        for (ApiClient client : List.of(api, api.with(wrong), api.with("nonsense"), api.with("lhk_aaaaaaaaaa_x"))) {
            assertThat(together(everyCall(client)))
                    .allMatch(refused -> refused.problem().equals("unauthorized"));
        }
        assertThat(api.get("/healthz").status()).isEqualTo(200);
        assertThat(api.get("/readyz").status()).isEqualTo(200);
        assertThat(api.with(made.text()).get("/v1/leases").status()).isEqualTo(200);
        assertThat(store.inspect(LeaseName.of("a"))
                        .orElseThrow()
                        .lease()
                        .token()
                        .value())
                .isEqualTo(1);
    }

    @Test
    void aKeyTouchesOnlyItsPrefix() {
        acquire("a");
        ApiClient other = client(Role.OPERATOR, "team-b/");
        assertThat(everyCall(other)
                        .map(Supplier::get)
                        .map(result -> result.status() + result.problem())
                        .distinct())
                .containsExactlyInAnyOrder("403forbidden", "200");
        for (String list : List.of("/v1/leases", "/v1/leases/names", "/v1/register/keys")) {
            assertThat(other.get(list).body().toString()).doesNotContain("\"a\"", "keys/");
        }
        other.post("/v1/leases/acquire", "{'name':'team-b/job','ttlMs':60000}");
        assertThat(other.get("/v1/leases?prefix=team").body().path("leases")).hasSize(1);
        assertThat(other.get("/v1/leases?prefix=team-b/x").body().path("leases"))
                .isEmpty();
        assertThat(other.get("/v1/leases?prefix=a").body().path("leases")).isEmpty();
        assertThat(other.post("/v1/fences/raise", "{'resource':'a','name':'team-b/job','token':1}")
                        .status())
                .isEqualTo(403);
        assertThat(other.post("/v1/work/claim", "{'name':'team-b/job','token':1,'key':'k','of':'a'}")
                        .status())
                .isEqualTo(403);
    }

    /** The last key of a page says where the next one starts. */
    @Test
    void aPageDoesNotRevealTheKeysOfOthers() {
        for (String name : List.of("team-a/1", "team-a/2", "team-b/1", "team-c/1")) {
            store.register().compareAndSet("work#" + name + "#k", CasRegister.ABSENT, "x");
        }
        ApiClient other = client(Role.READER, "team-b/");
        for (String prefix : List.of("", "work", "work%23", "work%23team-b/", "work%23team-a/", "effect/")) {
            Result page = other.get("/v1/register/keys?limit=1&prefix=" + prefix);
            assertThat(page.body().toString()).doesNotContain("team-a", "team-c", "keys/");
        }
        assertThat(other.get("/v1/register/keys?prefix=work%23").body().path("names"))
                .hasSize(1);
    }

    /** With its attempt a token is a whole grant, and opens the doors of services. */
    @Test
    void aReaderSeesNoAttempt() {
        String attempt = "the-attempt-of-alice";
        api.post("/v1/leases/acquire", "{'name':'a','ttlMs':60000,'attempt':'%s'}", attempt);
        api.post("/v1/fences/raise", "{'resource':'a','name':'a','token':1,'attempt':'%s'}", attempt);
        ApiClient reader = client(Role.READER, "");
        ApiClient holder = client(Role.HOLDER, "");
        for (String target : List.of(
                "/v1/leases",
                "/v1/leases/one?name=a",
                "/v1/leases/history?name=a",
                "/v1/leases/explain?name=a",
                "/v1/leases?names=a",
                "/v1/fences/one?resource=a",
                "/v1/register?key=fences/a")) {
            assertThat(reader.get(target).response().body()).as(target).doesNotContain(attempt);
            assertThat(holder.get(target).response().body()).as(target).contains(attempt);
        }
        assertThat(reader.get("/v1/register?key=fences/a").status()).isEqualTo(403);
        assertThat(reader.get("/v1/register/keys").response().body()).doesNotContain("fences/");
    }

    /** The commands of an operator who only looks. */
    @Test
    void aJavaProgramCanLookWithTheKeyOfAReader() throws Exception {
        acquire("a");
        Path key =
                Files.writeString(directory.resolve("key"), key(Role.READER, "").text());
        try (LeaseStore reading = Stores.open(server.uri() + "?auth-file=" + key)) {
            assertThat(reading.history(LeaseName.of("a"), 10)).hasSize(1);
            assertThat(reading.inspect(LeaseName.of("a"))).isPresent();
        }
    }

    @Test
    void aRoleDoesNoMoreThanItIsFor() {
        ApiClient reader = client(Role.READER, "");
        ApiClient holder = client(Role.HOLDER, "");
        BODIES.forEach((path, body) -> {
            assertThat(reader.post(path, body).status()).as(path).isEqualTo(403);
            boolean operators =
                    path.matches(".*(takeover|cancel|repair|forget|erase-scratch|start|pause|resume|retry)");
            assertThat(holder.post(path, body).status() == 403).as(path).isEqualTo(operators);
        });
        assertThat(reader.get("/v1/leases").status()).isEqualTo(200);
    }

    /** Otherwise whoever may write a work item could make keys. */
    @Test
    void nobodyReadsOrWritesKeysThroughTheRegister() {
        AccessKeys.Made made = key(Role.OPERATOR, "");
        ApiClient operator = api.with(made.text());
        String key = "keys/" + made.key().id();
        assertThat(operator.get("/v1/register?key=" + key).status()).isEqualTo(403);
        assertThat(operator.post("/v1/register/set", "{'key':'%s','expected':'','value':'x'}", key)
                        .status())
                .isEqualTo(403);
        assertThat(operator.post("/v1/register/set", "{'key':'lease/a','expected':'','value':'x'}")
                        .status())
                .isEqualTo(403);
        for (String call : List.of("set", "remove")) {
            String value = call.equals("set") ? ",'value':'x'" : "";
            assertThat(operator.post("/v1/register/" + call, "{'key':'fences/a','expected':''%s}", value)
                            .status())
                    .isEqualTo(403);
        }
        assertThat(operator.get("/v1/register/keys?prefix=keys/").body().path("names"))
                .isEmpty();
        assertThat(store.register().read(key).value().orElseThrow())
                .doesNotContain(made.text().substring(16));
    }

    @Test
    void aKeyThatWasRevokedOrHasExpiredOpensNothing() {
        AccessKeys keys = new AccessKeys(store.register());
        AccessKeys.Made revoked = keys.add("alice", Role.READER, "", null);
        AccessKeys.Made expiring = keys.add("bob", Role.READER, "", Duration.ofSeconds(10));
        for (AccessKeys.Made made : List.of(revoked, expiring)) {
            assertThat(api.with(made.text()).get("/v1/leases").status()).isEqualTo(200);
        }
        assertThat(keys.list()).allMatch(key -> key.used() != null);
        keys.revoke(revoked.key().id());
        for (AccessKeys.Made made : List.of(revoked, expiring)) {
            int status = 200;
            for (int i = 0; i < 60 && status == 200; i++) {
                sleep(500);
                status = api.with(made.text()).get("/v1/leases").status();
            }
            assertThat(status).isEqualTo(401);
        }
        assertThat(keys.revoke("aaaaaaaaaa")).isEmpty();
    }

    @Test
    void theHistoryNamesTheOwnerOfTheKey() {
        acquire("a");
        ApiClient operator = client(Role.OPERATOR, "");
        operator.post("/v1/leases/takeover", "{'name':'a','reason':'it hangs','ttlMs':60000,'holder':'mallory'}");
        operator.post("/v1/leases/cancel", "{'name':'a','reason':'enough'}");
        assertThat(store.history(LeaseName.of("a"), 2))
                .extracting(transfer -> transfer.holder().value())
                .containsExactly("alice", "mallory by alice");
    }

    @Test
    void tooManyRequestsAreRefused() throws Exception {
        try (LeaseholdServer limited = LeaseholdServer.over(store)
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .callsPerSecond(1)
                .start()) {
            ApiClient client = new ApiClient(limited.uri(), DOCUMENT);
            Stream<Supplier<Result>> open =
                    GETS.subList(GETS.size() - OPEN, GETS.size()).stream().map(target -> () -> client.get(target));
            Stream.concat(everyCall(client), open).forEach(call -> {
                Result refused = call.get();
                for (int i = 0; i < 20 && refused.status() != 429; i++) {
                    refused = call.get();
                }
                assertThat(refused.problem()).isEqualTo("too-many");
                assertThat(refused.response().headers().firstValue("Retry-After"))
                        .contains("1");
            });
        }
    }

    @Test
    void aJavaClientTakesItsKeyFromAFile() throws Exception {
        Path file = directory.resolve("key");
        Files.writeString(file, key(Role.HOLDER, "").text() + "\n");
        String url = server.uri() + "?auth-file=" + file;
        try (LeaseStore client = Stores.open(url)) {
            client.acquire(LeaseName.of("job"), AttemptId.of("attempt-0001"), Holder.of("h"), Duration.ofMinutes(1));
        }
        assertThatThrownBy(() -> Stores.open(server.uri().toString()))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("leasehold keys add");
        assertThatThrownBy(() -> Stores.open("http://192.0.2.1:7420?auth-file=" + file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the key was not sent to 192.0.2.1");
        Files.writeString(file, "two words");
        assertThatThrownBy(() -> Stores.open(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("does not have a key");
        assertThatThrownBy(() -> Stores.open(server.uri() + "?auth-file=" + directory.resolve("none")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aServerThatOthersCanReachNeedsKeysAndTls() {
        LeaseholdServer.Builder open = LeaseholdServer.over(store).listen(new InetSocketAddress(0));
        assertThatThrownBy(open::start)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("keys add");
        key(Role.READER, "");
        assertThatThrownBy(open::start)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("certificate");
    }
}
