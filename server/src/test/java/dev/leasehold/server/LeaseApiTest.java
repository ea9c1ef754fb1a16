package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.server.ApiClient.Result;
import dev.leasehold.spi.CasRegister;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The calls about leases, the register and the server itself. */
abstract class LeaseApiTest extends ApiFixture {
    @Test
    void aLeaseIsGrantedRenewedAndGivenBack() {
        Result grant = acquire("nightly");
        assertThat(grant.status()).isEqualTo(200);
        assertThat(grant.number("token")).isEqualTo(1);
        assertThat(grant.text("store")).isEqualTo(store.id().value());
        assertThat(grant.number("expiresInMs")).isBetween(50_000L, 60_000L);
        assertThat(grant.body().at("/transfer/reason").asString()).isEqualTo("first");
        assertThat(grant.response().headers().firstValue("Date")).isPresent();
        assertThat(grant.response().headers().firstValue("Server")).isEmpty();

        Result busy = acquire("nightly");
        assertThat(busy.status()).isEqualTo(409);
        assertThat(busy.problem()).isEqualTo("busy");
        assertThat(busy.text("holder")).isEqualTo("alice");
        assertThat(busy.response().headers().firstValueAsLong("Retry-After").orElse(0))
                .isBetween(50L, 60L);

        Result renewals = api.post(
                "/v1/leases/renew",
                "{'grants':[{'name':'nightly','token':1,'attempt':'%s','store':'%s','ttlMs':90000},"
                        + "{'name':'other','token':7,'ttlMs':90000}]}",
                grant.text("attempt"),
                grant.text("store"));
        assertThat(renewals.body().at("/results/0/outcome").asString()).isEqualTo("renewed");
        assertThat(renewals.body().at("/results/1/outcome").asString()).isEqualTo("forgotten");

        String release = "{'name':'nightly','token':1}";
        assertThat(api.post("/v1/leases/release", release).text("outcome")).isEqualTo("released");
        assertThat(api.post("/v1/leases/release", release).text("outcome")).isEqualTo("already-released");
        assertThat(acquire("nightly").number("token")).isEqualTo(2);
        Result stale = api.post("/v1/leases/release", release);
        assertThat(stale.problem()).isEqualTo("stale");
        assertThat(stale.body().at("/loss/by/token").asLong()).isEqualTo(2);
    }

    @Test
    void aRepeatedCallGetsTheSameGrant() {
        String call = "{'name':'job','ttlMs':60000,'attempt':'attempt-0001'}";
        assertThat(api.post("/v1/leases/acquire", call).number("token")).isEqualTo(1);
        assertThat(api.post("/v1/leases/acquire", call).number("token")).isEqualTo(1);
        assertThat(api.post("/v1/leases/abandon", "{'name':'job','attempt':'attempt-0001'}")
                        .status())
                .isEqualTo(200);
        assertThat(api.post("/v1/leases/acquire", call).problem()).isEqualTo("spent");
    }

    @Test
    void progressIsTakenFromTheOwnerOnly() {
        acquire("job");
        String report = "{'name':'job','token':%d,'note':'half','checkpoint':'row 7'}";
        assertThat(api.post("/v1/leases/progress", report, 1).status()).isEqualTo(200);
        assertThat(api.post("/v1/leases/progress", report, 2).status()).isEqualTo(412);
        Result lease = api.get("/v1/leases/one?name=job");
        assertThat(lease.text("state")).isEqualTo("held");
        assertThat(lease.body().at("/progress/checkpoint").asString()).isEqualTo("row 7");
    }

    @Test
    void aGrantOfAnotherStoreIsRefused() {
        acquire("job");
        String other = UUID.randomUUID().toString();
        Result refused =
                api.post("/v1/leases/renew", "{'grants':[{'name':'job','token':1,'store':'%s','ttlMs':1}]}", other);
        assertThat(refused.problem()).isEqualTo("wrong-store");
    }

    @Test
    void operatorsMoveTheTokenAndLeaveAReason() {
        acquire("job");
        Result taken = api.post(
                "/v1/leases/takeover", "{'name':'job','reason':'it hangs','ttlMs':60000,'holder':'bob','ifToken':1}");
        assertThat(taken.number("token")).isEqualTo(2);
        assertThat(api.post("/v1/leases/takeover", "{'name':'job','reason':'r','ttlMs':1,'ifToken':1}")
                        .problem())
                .isEqualTo("owner-changed");
        assertThat(api.post("/v1/leases/cancel", "{'name':'job','reason':'wrong input','attempt':'cancel-0001'}")
                        .number("token"))
                .isEqualTo(3);
        acquire("job");
        assertThat(api.post("/v1/leases/cancel", "{'name':'job','reason':'wrong input','attempt':'cancel-0001'}")
                        .status())
                .isIn(200, 409);
        assertThat(api.post("/v1/leases/cancel", "{'name':'job','reason':'r','ifToken':1}")
                        .status())
                .isEqualTo(409);
        assertThat(api.post("/v1/leases/repair", "{'name':'job','reason':'restored','above':40}")
                        .number("token"))
                .isEqualTo(41);
        assertThat(api.post("/v1/leases/repair", "{'name':'job','reason':'restored','ifToken':40}")
                        .status())
                .isEqualTo(409);
        Result history = api.get("/v1/leases/history?name=job&limit=10");
        assertThat(history.body().at("/transfers/0/reason").asString()).isEqualTo("recovered");
        assertThat(history.body().path("transfers").toString()).contains("it hangs", "wrong input");
    }

    @Test
    void listsHavePages() {
        for (String name : List.of("b/1", "a/1", "a/2", "a/3")) {
            acquire(name);
        }
        Result first = api.get("/v1/leases?prefix=a/&limit=2");
        assertThat(first.body().path("leases")).hasSize(2);
        Result second = api.get("/v1/leases?prefix=a/&limit=2&after=" + first.text("next"));
        assertThat(second.body().at("/leases/0/name").asString()).isEqualTo("a/3");
        assertThat(second.body().has("next")).isFalse();
        assertThat(api.get("/v1/leases/names").body().path("names")).hasSize(4);
        assertThat(api.get("/v1/leases/one?name=never").problem()).isEqualTo("no-such-lease");
        assertThat(api.get("/v1/leases/history?name=never").body().path("transfers"))
                .isEmpty();
    }

    @Test
    void theRegisterComparesAndSets() {
        String set = "{'key':'work/a','expected':'%s','value':'one'}";
        assertThat(api.post("/v1/register/set", set, "").body().path("changed").asBoolean())
                .isTrue();
        assertThat(api.post("/v1/register/set", set, "").body().path("changed").asBoolean())
                .isFalse();
        Result value = api.get("/v1/register?key=work/a");
        assertThat(value.text("value")).isEqualTo("one");
        assertThat(api.get("/v1/register?key=nothing").text("version")).isEqualTo(CasRegister.ABSENT);
        assertThat(api.get("/v1/register/keys?prefix=work/").body().path("names"))
                .hasSize(1);
        assertThat(api.post("/v1/register/remove", "{'key':'work/a','expected':'%s'}", value.text("version"))
                        .body()
                        .path("changed")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void aFreeNameIsForgottenAndItsTokenIsNotIssuedAgain() {
        assertThat(api.post("/v1/leases/acquire", "{'name':'once','ttlMs':60000,'attempt':'attempt-0001'}")
                        .status())
                .isEqualTo(200);
        String call = "{'names':[{'name':'once','token':1},{'name':'unknown','token':1}]}";
        assertThat(api.post("/v1/leases/forget", call).body().path("outcomes").toString())
                .isEqualTo("[\"kept\",\"absent\"]");
        api.post("/v1/leases/release", "{'name':'once','token':1}");
        assertThat(api.post("/v1/leases/forget", call).body().path("outcomes").toString())
                .isEqualTo("[\"forgotten\",\"absent\"]");
        assertThat(api.get("/v1/store").body().path("floor").asLong()).isEqualTo(1);
        assertThat(api.post("/v1/leases/acquire", "{'name':'once','ttlMs':60000,'attempt':'attempt-0002'}")
                        .body()
                        .path("token")
                        .asLong())
                .isEqualTo(2);
        assertThat(api.post("/v1/leases/forget", "{'names':[]}").status()).isEqualTo(400);
    }

    @Test
    void theServerTellsAboutItself() {
        assertThat(api.get("/healthz").text("status")).isEqualTo("alive");
        assertThat(api.get("/readyz").text("status")).isEqualTo("ready");
        assertThat(api.get("/v1/store").text("id")).isEqualTo(store.id().value());
        assertThat(api.get("/openapi.json").text("openapi")).isEqualTo("3.1.0");
        assertThat(api.post("/v1/leases/erase-scratch", "{'name':'leasehold-scratch/1'}")
                        .status())
                .isEqualTo(200);
    }
}
