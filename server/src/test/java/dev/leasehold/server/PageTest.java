package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Stores;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.LeaseStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The page in a real browser, over a real server and PostgreSQL. */
class PageTest extends PageFixture {
    private static EmbeddedPostgres postgres;
    private static int databases;
    private String database;

    @BeforeAll
    static void startPostgres() throws IOException {
        postgres = EmbeddedPostgres.start();
    }

    @AfterAll
    static void stopPostgres() throws IOException {
        postgres.close();
    }

    @Override
    LeaseStore createStore() throws Exception {
        database = "page" + ++databases;
        sql("postgres", "create database " + database);
        return Stores.create("postgresql://postgres@localhost:" + postgres.getPort() + "/" + database);
    }

    private static void sql(String where, String statement) throws Exception {
        try (Connection connection = postgres.getDatabase("postgres", where).getConnection();
                Statement call = connection.createStatement()) {
            call.execute(statement);
        }
    }

    @Test
    void theRefusalOfAZombieAppearsWithoutAReload() throws Exception {
        open("leases");
        page.eval("window.sameDocument = true");
        try (Zombie zombie = Zombie.start(server.uri(), "daily-publish", "site/index.html")) {
            page.awaitText(".row .name", "daily-publish");
            zombie.freeze();
            Grant fresh = successor("daily-publish");
            zombie.write(fresh, "site/index.html");
            assertThat(zombie.thaw()).contains("412");
        }
        page.awaitText(".attention li", "refused");
        assertThat(page.text(".attention")).contains("daily-publish", "token 1 of daily-publish is stale");

        open("timeline");
        page.await("document.querySelectorAll('.bar').length === 2");
        page.await("document.querySelector('.mark.refused .bounce') !== null");
        page.await("document.querySelector('.bar .frozen') !== null");
        open("lease?name=daily-publish");
        page.awaitText("td .chip", "write refused");
        assertThat(page.text(".next")).contains("web-2 (#2) became the owner", "web-1 tried to write at");
        page.awaitText("td", "site/index.html");
        assertThat(page.eval("window.sameDocument").asBoolean()).isTrue();
    }

    private Grant successor(String name) throws InterruptedException {
        for (int i = 0; i < 600; i++) {
            if (tryToAcquire(name, "web-2", LONG) instanceof Acquisition.Granted granted) {
                return granted.grant();
            }
            Thread.sleep(100);
        }
        throw new AssertionError("the lease of the frozen process did not expire");
    }

    @Test
    void tenThousandLeasesAreOneList() throws Exception {
        acquire("load/0", "worker", LONG);
        sql(
                database,
                "insert into leasehold_lease select (jsonb_populate_record(l, jsonb_build_object('name',"
                        + " 'load/' || lpad(i::text, 5, '0')))).* from leasehold_lease l, generate_series(1, 9998) i"
                        + " where l.name = 'load/0'");
        String longest = "z" + "y".repeat(199);
        acquire(longest, "worker", LONG);
        open("leases");
        page.awaitText(".choice", "All 10000");
        page.await("document.querySelectorAll('.spacer .row').length > 10");
        page.eval("document.querySelector('.viewport').scrollTop = 1e9");
        page.awaitText(".spacer .row:not([hidden]) .name", longest);
        assertThat(page.eval("document.querySelectorAll('.spacer .row').length").asInt())
                .isLessThan(100);
        assertThat(page.eval("document.querySelector('.viewport').scrollWidth <="
                                + " document.querySelector('.viewport').clientWidth &&"
                                + " document.documentElement.scrollWidth <= innerWidth")
                        .asBoolean())
                .isTrue();
        page.eval("document.querySelector('input[type=search]').focus()");
        page.type("load/09");
        page.awaitText(".count", "999 of 10000");
        page.eval("document.querySelector('.viewport').scrollTop = 0");
        page.awaitText(".spacer .row:not([hidden]) .name", "load/09000");
    }

    @Test
    void aRestartOfTheServerLosesNothing() throws Exception {
        acquire("job", "web-1", LONG);
        open("leases");
        page.awaitText("#live", "Live");
        int port = server.uri().getPort();
        server.close();
        page.awaitText("#live", "Not live since");
        page.awaitText("#notice", "has not been live since");
        record("job", "stale_refused", 1, "web-1", "refused while nobody could look");
        start(port);
        page.await("document.querySelector('#live').textContent === 'Live'");
        page.awaitText(".attention", "refused while nobody could look");
        assertThat(page.eval("document.querySelectorAll('.attention li').length")
                        .asInt())
                .isEqualTo(1);
        page.await("document.querySelector('#notice').hidden");
    }

    @Test
    void aKeySeesItsOwnNamesUntilItIsRevoked() throws Exception {
        acquire("team-a/job", "web-1", LONG);
        acquire("team-b/job", "web-1", LONG);
        AccessKeys keys = new AccessKeys(store.register());
        AccessKeys.Made reader = keys.add("alice", Role.READER, "team-a/", null);
        page.open(server.uri() + "/");
        page.awaitText("h1", "A key is needed");
        page.open(server.uri() + "/#key=" + reader.text());
        page.awaitText(".row .name", "team-a/job");
        assertThat(page.eval("location.href").asString()).doesNotContain("lhk_");
        assertThat(page.text("#who")).contains("alice · reader · team-a/");
        record("team-b/job", "stale_refused", 1, "web-1", "of another team");
        record("team-a/job", "stale_refused", 1, "web-1", "of this team");
        page.awaitText(".attention", "of this team");
        assertThat(page.eval("document.body.innerText").asString()).doesNotContain("team-b", "of another team");
        open("lease?name=team-a/job");
        page.awaitText(".next", "Only an operator");
        assertThat(page.eval("document.querySelectorAll('[data-act]').length").asInt())
                .isZero();
        open("lease?name=team-b/job");
        page.awaitText(".empty", "the key is for names that start with team-a/");

        keys.revoke(reader.key().id());

        page.awaitText("h1", "A key is needed");
        page.awaitText(".sign-in", "revoked or has expired");
        assertThat(page.eval("document.body.innerText").asString()).doesNotContain("team-a");
        AccessKeys.Made expiring = keys.add("bob", Role.OPERATOR, "", Duration.ofSeconds(1));
        page.eval("document.querySelector('.sign-in').dataset.before = 'true'; document.querySelector('#key').focus()");
        page.type(expiring.text());
        page.press("Enter");
        page.awaitText(".sign-in:not([data-before])", "revoked or has expired");
    }

    @Test
    void aLeaseIsTakenOverWithTheKeyboardAloneAndAColleagueSeesIt() throws Exception {
        acquire("aaa/other", "web-1", LONG);
        acquire("bbb/job", "web-1", LONG);
        BrowserTab colleague = Chromium.shared().tab();
        open(colleague, "lease?name=bbb/job");
        colleague.awaitText(".facts", "web-1");
        open("leases");
        page.awaitText(".row .name", "bbb/job");
        page.press("/");
        page.type("bbb");
        page.awaitText(".count", "1 of 2");
        page.tabTo(".viewport");
        page.press("ArrowDown");
        page.press("Enter");
        page.awaitText("h1", "bbb/job");
        page.await("document.querySelector('[data-act=takeover]') !== null");
        page.tabTo("[data-act=takeover]");
        page.press("Enter");
        page.awaitText("dialog", "web-1 loses the lease now");
        page.awaitText("dialog", "The process of web-1 goes on until it notices");
        page.tabTo("dialog textarea");
        page.type("it hangs");
        page.tabTo("dialog button.danger");
        page.press("Enter");
        page.awaitText("dialog .result", "bbb/job is held by page with token 2");
        page.press("Enter");
        page.await("document.querySelector('dialog') === null");
        page.awaitText("td", "it hangs");
        colleague.awaitText("td", "it hangs");
        check(colleague);
        colleague.close();
        assertThat(store.inspect(LeaseName.of("bbb/job")).orElseThrow().lease().token())
                .isEqualTo(FencingToken.of(2));
    }
}
