package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Stores;
import dev.leasehold.events.RunEntry;
import dev.leasehold.events.RunLog;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.environment.Requires;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** One browser and one PostgreSQL for a class; an empty database, a server and a tab for each test. */
@Requires({Chromium.PROGRAM, "curl", "bash"})
abstract class PageFixture {
    private static EmbeddedPostgres postgres;
    private static Chromium browser;
    private static int databases;

    LeaseStore store;
    LeaseholdServer server;
    BrowserTab page;
    private String database;

    @BeforeAll
    static void startThePrograms() throws IOException {
        postgres = EmbeddedPostgres.start();
        browser = Chromium.start();
    }

    @AfterAll
    static void stopThePrograms() throws IOException {
        browser.close();
        postgres.close();
    }

    @BeforeEach
    void startAServer() throws Exception {
        database = "page" + ++databases;
        sql("postgres", "create database " + database);
        store = Stores.create(url());
        start(0);
        page = browser.tab();
    }

    String url() {
        return "postgresql://postgres@localhost:" + postgres.getPort() + "/" + database;
    }

    void start(int port) throws IOException {
        server = LeaseholdServer.over(store)
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .start();
    }

    /** Whatever a test did, nothing broke the policy, and no request left the server. */
    @AfterEach
    void stopTheServer() {
        String own = server.uri().toString();
        assertThat(page.complaints()).isEmpty();
        assertThat(page.requests()).allMatch(url -> url.startsWith(own) || url.equals("about:blank"));
        page.close();
        server.close();
        store.close();
    }

    void sql(String where, String statement) throws Exception {
        try (Connection connection = postgres.getDatabase("postgres", where).getConnection();
                Statement call = connection.createStatement()) {
            call.execute(statement);
        }
    }

    void sql(String statement) throws Exception {
        sql(database, statement);
    }

    /** Goes to a view, and waits until it shows something. */
    void open(String view) {
        page.open(server.uri() + "/#/" + view);
        page.await("document.querySelector('.view-" + view.replaceAll("\\?.*", "") + "') !== null");
    }

    Grant acquire(String name, String holder, Duration ttl) {
        return ((Acquisition.Granted) tryToAcquire(name, holder, ttl)).grant();
    }

    Acquisition tryToAcquire(String name, String holder, Duration ttl) {
        return store.acquire(LeaseName.of(name), AttemptId.of(UUID.randomUUID().toString()), Holder.of(holder), ttl);
    }

    /** An entry that the command line writes when a run or a target has something to tell. */
    void record(String name, String kind, long token, String holder, String detail) {
        new RunLog(store.register())
                .append(
                        LeaseName.of(name),
                        new RunEntry(
                                Instant.EPOCH, kind, FencingToken.of(token), Holder.of(holder), Duration.ZERO, detail));
    }
}
