package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreMovedException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.server.ApiClient.Result;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.testkit.ForwardingLeaseStore;
import java.lang.reflect.Proxy;
import java.net.http.HttpRequest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that are wrong, and stores that fail. */
abstract class ErrorApiTest extends ApiFixture {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'name':'a'}|the field 'ttlMs' is missing",
                "{'name':'a','ttl':1}|unknown field 'ttl'; this call has attempt, holder, name, ttlMs, waitMs",
                "{'name':5,'ttlMs':1|the field 'name' has a value of the wrong type",
                "{'name':null,'ttlMs':1}|the field 'name' is null",
                "{'name':'a','ttlMs':1,'waitMS':1}|unknown field 'waitMS'; this call has attempt, holder",
                "{'name':'a','name':'b','ttlMs':1}|a field is given twice",
                "{'name':'a','ttlMs':'1'}|the field 'ttlMs' has a value of the wrong type",
                "{'name':'a','ttlMs':1.5}|the field 'ttlMs' has a value of the wrong type",
                "{'name':5,'ttlMs':1}|the field 'name' has a value of the wrong type",
                "{'name':'a','ttlMs':99999999999999999999}|a number in the body is out of range",
                "{'name':'a','ttlMs':0}|ttlMs must be positive",
                "{'name':'a','ttlMs':1,'waitMs':-1}|waitMs must be between",
                "{'name':'a b','ttlMs':1}|lease name",
                "{'name':'a','ttlMs':1,'attempt':'x'}|attempt id",
                "{'name':'a','ttlMs':1} x|the body is not",
                "{'name':'a'|the body is not valid JSON, at line 1",
                "[]|the body is not a JSON object",
                "``|the body",
                "[[[[[[[[[[[[[[[[[[[[[[[[[|the body is",
            })
    void aMistakeIsNamed(String body, String words) {
        Result refused = api.post("/v1/leases/acquire", body);
        assertThat(refused.status()).as(body).isEqualTo(400);
        assertThat(refused.text("detail")).contains(words).doesNotContain("jackson", "Exception");
        assertThat(store.inspect(LeaseName.of("a"))).isEmpty();
    }

    @Test
    void aMistypedFieldOfAnElementIsNamedBeforeTheOneThatIsMissing() {
        assertThat(api.post("/v1/leases/renew", "{'grants':[{'name':'a','token':1,'ttl':1}]}")
                        .text("detail"))
                .isEqualTo("unknown field 'ttl'; this call has attempt, name, store, token, ttlMs");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/leases?limit=0",
                "/v1/leases?limit=501",
                "/v1/leases?limit=x",
                "/v1/leases?prefx=a",
                "/v1/leases?prefix=a&prefix=b",
                "/v1/leases/one",
                "/v1/leases/one?name=%00",
                "/v1/leases/one?name=a%20b",
                "/v1/register?key=",
                "/v1/register/keys?limit=1&limit=2"
            })
    void aWrongParameterIsNamed(String target) {
        assertThat(api.get(target).status()).isEqualTo(400);
    }

    @Test
    void everyCallRefusesWhatItDoesNotTake() {
        for (String path : BODIES.keySet()) {
            assertThat(api.post(path, "{'nonsense':1}").problem()).isEqualTo("bad-request");
            HttpRequest.Builder form = HttpRequest.newBuilder().POST(HttpRequest.BodyPublishers.ofString("name=a"));
            assertThat(api.send("POST", path, form, null).problem()).isEqualTo("not-json");
            assertThat(api.post(path, "'" + "x".repeat(800_000) + "'").problem())
                    .isEqualTo("too-large");
        }
        for (String target : GETS) {
            assertThat(api.get(target + (target.contains("?") ? "&" : "?") + "nonsense=1")
                            .problem())
                    .isEqualTo("bad-request");
        }
    }

    /** A page in a browser that reaches this host under a name of its own. */
    @Test
    void aRequestForAnotherHostIsRefused() throws Exception {
        for (String target : GETS.subList(0, GETS.size() - OPEN)) {
            assertThat(RawHttp.exchange(
                            server.uri(),
                            "GET " + target + " HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 421");
            DOCUMENT.checkAnswer("GET", target.replaceAll("\\?.*", ""), 421, "application/problem+json", wrongHost());
        }
        for (String path : BODIES.keySet()) {
            assertThat(RawHttp.exchange(
                            server.uri(),
                            "POST " + path + " HTTP/1.1\r\nHost: evil.example:80\r\nContent-Type: application/json\r\n"
                                    + "Content-Length: 2\r\nConnection: close\r\n\r\n{}"))
                    .startsWith("HTTP/1.1 421");
            DOCUMENT.checkAnswer("POST", path, 421, "application/problem+json", wrongHost());
        }
    }

    private String wrongHost() throws Exception {
        String answer = RawHttp.exchange(
                server.uri(), "GET /v1/store HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
        return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }

    @Test
    void aStoreThatFailsIsAProblemOfEveryCall() throws Exception {
        for (RuntimeException failure : List.of(
                new StoreUnavailableException("the disk is gone"),
                new StoreCorruptException("a record is damaged"),
                new StoreMovedException(
                        StoreId.of("store-0001"),
                        StoreMovedException.Stage.MOVED,
                        "file:/elsewhere",
                        "it was moved"))) {
            try (LeaseholdServer broken = SharedServer.start(FailingStore.of(new MemoryLeaseStore(), failure))) {
                ApiClient client = new ApiClient(broken.uri(), DOCUMENT);
                for (String target : GETS.subList(0, GETS.size() - OPEN)) {
                    assertThat(client.get(target).text("detail")).isEqualTo(failure.getMessage());
                }
                assertThat(client.get("/readyz").status()).isEqualTo(503);
                assertThat(client.get("/healthz").status()).isEqualTo(200);
                BODIES.forEach((path, body) ->
                        assertThat(client.post(path, body).status()).as(path).isEqualTo(503));
            }
        }
    }

    /** A disk that is full, or was mounted read-only: it still answers questions. */
    @Test
    void aServerWhoseStoreTakesNoWritesIsNotReady() throws Exception {
        boolean[] full = {true};
        CasRegister register = (CasRegister) Proxy.newProxyInstance(
                CasRegister.class.getClassLoader(), new Class<?>[] {CasRegister.class}, (self, method, arguments) -> {
                    if (method.getName().equals("compareAndSet") && full[0]) {
                        throw new StoreUnavailableException("no space left on device");
                    }
                    return method.invoke(store.register(), arguments);
                });
        LeaseStore unwritable = new ForwardingLeaseStore(store) {
            @Override
            public CasRegister register() {
                return register;
            }
        };
        try (LeaseholdServer other = SharedServer.start(unwritable)) {
            ApiClient client = new ApiClient(other.uri(), DOCUMENT);
            assertThat(client.get("/v1/leases").status()).isEqualTo(200);
            assertThat(client.get("/readyz").text("detail")).contains("no space left on device");
            assertThat(client.get("/healthz").status()).isEqualTo(200);
            full[0] = false;
            assertThat(client.get("/readyz").text("status")).isEqualTo("ready");
        }
    }
}
