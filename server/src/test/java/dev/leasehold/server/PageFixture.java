package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** One browser for all classes; a store, a server and a tab for each test. */
@Requires({Chromium.PROGRAM, "curl", "bash"})
abstract class PageFixture {
    static final Duration LONG = Duration.ofMinutes(10);

    LeaseStore store;
    LeaseholdServer server;
    BrowserTab page;

    /** A store for one test. */
    abstract LeaseStore createStore() throws Exception;

    /** The settings of the server of a test. */
    LeaseholdServer.Builder settings(LeaseStore of) {
        return LeaseholdServer.over(of);
    }

    @BeforeEach
    void startAServer() throws Exception {
        store = createStore();
        start(0);
        page = Chromium.shared().tab();
    }

    void start(int port) throws IOException {
        server = settings(store)
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .start();
    }

    /** Whatever a test did, nothing broke the policy, and no request left the server. */
    @AfterEach
    void stopTheServer() {
        check(page);
        page.close();
        server.close();
        store.close();
    }

    void check(BrowserTab tab) {
        String own = server.uri().toString();
        assertThat(tab.complaints()).isEmpty();
        assertThat(tab.requests()).allMatch(url -> url.startsWith(own) || url.equals("about:blank"));
    }

    /** Goes to a view, and waits until it shows something. */
    void open(String view) {
        open(page, view);
    }

    void open(BrowserTab tab, String view) {
        tab.open(server.uri() + "/#/" + view);
        tab.await("document.querySelector('.view-" + view.replaceAll("\\?.*", "") + "') !== null");
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
