package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.server.ApiClient.Result;
import dev.leasehold.spi.CasRegister;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Fences that the server keeps. */
abstract class FenceApiTest extends ApiFixture {
    private Result call(String which, String resource, long token) {
        return api.post("/v1/fences/" + which, "{'resource':'%s','name':'job','token':%d}", resource, token);
    }

    @Test
    void aFenceRefusesEveryOlderToken() {
        acquire("job");
        assertThat(call("raise", "bucket/a b", 1).body().at("/fence/raised").asLong())
                .isEqualTo(1);
        assertThat(call("admit", "bucket/a b", 1).status()).isEqualTo(200);
        api.post("/v1/leases/takeover", "{'name':'job','reason':'it hangs','ttlMs':60000}");
        assertThat(call("admit", "bucket/a b", 1).status()).isEqualTo(200);
        assertThat(call("raise", "bucket/a b", 2).status()).isEqualTo(200);
        for (String which : List.of("raise", "admit", "admit-once")) {
            Result refused = call(which, "bucket/a b", 1);
            assertThat(refused.problem()).isEqualTo("stale");
            assertThat(refused.body().at("/fence/raised").asLong()).isEqualTo(2);
        }
        assertThat(api.get("/v1/fences/one?resource=bucket/a%20b")
                        .body()
                        .at("/fence/name")
                        .asString())
                .isEqualTo("job");
        assertThat(api.get("/v1/fences/one?resource=other").problem()).isEqualTo("no-such-fence");
    }

    /** It would lock everybody out until the counter has reached it. */
    @Test
    void aTokenThatTheStoreNeverIssuedRaisesNothing() {
        assertThat(call("raise", "bucket", 1).problem()).isEqualTo("stale");
        acquire("job");
        assertThat(call("raise", "bucket", 2).body().at("/loss/kind").asString())
                .isEqualTo("forgotten");
        assertThat(call("admit-once", "bucket", 1_000_000).status()).isEqualTo(412);
        assertThat(call("raise", "bucket", 1).status()).isEqualTo(200);
    }

    @Test
    void anInventedAttemptDoesNotLockOutTheHolder() {
        String attempt = acquire("job").text("attempt");
        String fence = "{'resource':'bucket','name':'job','token':1,'attempt':'%s'}";
        assertThat(call("raise", "bucket", 1).status()).isEqualTo(200);

        assertThat(api.post("/v1/fences/admit", fence, "attempt-of-nobody").problem())
                .isEqualTo("stale");
        assertThat(api.post("/v1/fences/raise", fence, "attempt-of-nobody").problem())
                .isEqualTo("stale");
        assertThat(api.post("/v1/fences/admit", fence, attempt).status()).isEqualTo(200);
    }

    @Test
    void aGrantWritesOnceAndARetryIsRecognized() {
        acquire("job");
        String write = "{'resource':'mail','name':'job','token':1,'digest':'%s'}";
        assertThat(api.post("/v1/fences/admit-once", write, "one")
                        .body()
                        .path("again")
                        .asBoolean())
                .isFalse();
        assertThat(api.post("/v1/fences/admit-once", write, "one")
                        .body()
                        .path("again")
                        .asBoolean())
                .isTrue();
        assertThat(api.post("/v1/fences/admit-once", write, "two").problem()).isEqualTo("stale");
        assertThat(call("admit", "mail", 1).status()).isEqualTo(200);
        assertThat(api.post("/v1/fences/admit", write, "one").status()).isEqualTo(400);
    }

    /** The store lost records and issued the token twice. */
    @Test
    void aSecondAttemptWithTheSameTokenIsRefused() {
        String attempt = acquire("job").text("attempt");
        String raise = "{'resource':'r','name':'job','token':1,'attempt':'%s'}";
        assertThat(api.post("/v1/fences/raise", raise, attempt).status()).isEqualTo(200);
        assertThat(api.post("/v1/fences/raise", raise, "another-attempt").text("detail"))
                .contains("the store went back in time");
    }

    @Test
    void aResourceBelongsToOneLease() {
        acquire("job");
        acquire("other");
        call("raise", "bucket", 1);
        for (String which : List.of("raise", "admit", "admit-once")) {
            assertThat(api.post("/v1/fences/" + which, "{'resource':'bucket','name':'other','token':1}")
                            .problem())
                    .isEqualTo("wrong-fence");
        }
    }

    @Test
    void onlyTheLatestOfManyCallersIsLeft() {
        acquire("job");
        for (int i = 0; i < 20; i++) {
            api.post("/v1/leases/takeover", "{'name':'job','reason':'r','ttlMs':60000}");
        }
        assertThat(IntStream.rangeClosed(1, 21)
                        .parallel()
                        .mapToObj(token -> call("raise", "bucket", token))
                        .map(Result::status))
                .contains(200)
                .isSubsetOf(200, 412);
        assertThat(call("raise", "bucket", 20).status()).isEqualTo(412);
        assertThat(call("admit", "bucket", 21).status()).isEqualTo(200);
    }

    @Test
    void aDamagedFenceAdmitsNothing() {
        acquire("job");
        store.register().compareAndSet("fences/bucket", CasRegister.ABSENT, "damaged");
        assertThat(call("raise", "bucket", 1).problem()).isEqualTo("record-damaged");
        assertThat(api.get("/v1/fences/one?resource=bucket").problem()).isEqualTo("record-damaged");
    }
}
