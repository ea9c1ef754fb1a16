package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.events.Event;
import dev.leasehold.events.EventReader;
import dev.leasehold.events.RunEntry;
import dev.leasehold.events.RunLog;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.store.MemoryLeaseStore;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What happens in the store, as server-sent events. */
abstract class EventApiTest extends ApiFixture {
    private static final Holder BOB = Holder.of("bob");

    private EventClient listen(String target) throws Exception {
        return new EventClient(server.uri(), target, null, null);
    }

    private void log(String name, String kind, long token) {
        new RunLog(store.register())
                .append(
                        LeaseName.of(name),
                        new RunEntry(Instant.EPOCH, kind, FencingToken.of(token), BOB, Duration.ZERO, "why"));
    }

    @Test
    void whatEveryClientOfTheStoreDoesIsSent() throws Exception {
        acquire("before");
        try (EventClient client = listen("/v1/events")) {
            acquire("a");
            assertThat(client.next()).isEqualTo("acquired a 1 first");
            acquireInTheStore("b");
            log("b", "lost_superseded", 1);
            log("b", "stale_refused", 1);
            assertThat(client.next()).isEqualTo("acquired b 1 first");
            assertThat(client.next()).isEqualTo("lost b 1 lost_superseded");
            assertThat(client.next()).isEqualTo("refused b 1 stale_refused");
        }
    }

    @Test
    void aGrantThatAFenceOfTheServerRefusesIsAnEventOnce() throws Exception {
        acquire("a");
        api.post("/v1/leases/takeover", "{'name':'a','ttlMs':60000,'reason':'it hangs'}");
        api.post("/v1/fences/raise", "{'resource':'bucket','name':'a','token':2}");
        try (EventClient client = listen("/v1/events?types=refused")) {
            for (int i = 0; i < 3; i++) {
                assertThat(api.post("/v1/fences/admit", "{'resource':'bucket','name':'a','token':1}")
                                .status())
                        .isEqualTo(412);
            }
            assertThat(client.next()).isEqualTo("refused a 1 stale_refused");
            assertThat(client.next(4000)).isNull();
        }
    }

    @Test
    void aClientHearsOnlyTheNamesAndTypesItAskedFor() throws Exception {
        try (EventClient client = listen("/v1/events?prefix=team-a/&types=lost,refused")) {
            acquireInTheStore("team-a/x");
            log("team-b/x", "lost_lapsed", 1);
            log("team-a/x", "ran", 1);
            log("team-a/x", "lost_lapsed", 1);

            assertThat(client.next()).isEqualTo("lost team-a/x 1 lost_lapsed");
        }
    }

    /** The connection breaks at any moment, and the next server has never heard of the client. */
    @Test
    void aClientContinuesOnAnotherServerWithoutGapOrRepeat() throws Exception {
        Random random = new Random(7);
        List<String> heard = new ArrayList<>();
        EventReader all = EventReader.fromNow(store);
        try (LeaseholdServer other = SharedServer.start(store)) {
            String lastId = null;
            for (int round = 0; round < 6; round++) {
                LeaseholdServer asked = round % 2 == 0 ? server : other;
                try (EventClient client = new EventClient(asked.uri(), "/v1/events", null, lastId)) {
                    await(() -> client.lastId() != null);
                    for (int i = 0; i < 8; i++) {
                        acquireInTheStore("r" + round + "-" + i);
                        log("r" + random.nextInt(3), "skipped_overlap", 1);
                        Thread.sleep(random.nextInt(250));
                    }
                    int wanted = heard.size() + 1 + random.nextInt(15);
                    while (heard.size() < wanted) {
                        heard.add(client.next());
                    }
                    client.close();
                    await(client::hasEnded);
                    for (String rest = client.next(0); rest != null; rest = client.next(0)) {
                        heard.add(rest);
                    }
                    lastId = client.lastId();
                }
            }
            try (EventClient client = new EventClient(server.uri(), "/v1/events", null, lastId)) {
                while (heard.size() < 6 * 16) {
                    heard.add(client.next());
                }
                assertThat(client.next(3000)).isNull();
            }
        }
        List<String> happened = all.read().stream().map(EventApiTest::words).toList();
        assertThat(heard).isEqualTo(happened);
    }

    private static String words(Event event) {
        FencingToken token = event.token();
        return event.type().word() + " " + event.name() + " " + (token == null ? 0 : token.value()) + " "
                + event.outcome();
    }

    @Test
    void aKeyHearsOnlyItsNames() throws Exception {
        AccessKeys.Made key = new AccessKeys(store.register()).add("team a", Role.READER, "team-a/", null);
        try (EventClient client = new EventClient(server.uri(), "/v1/events?prefix=team", key.text(), null)) {
            acquireInTheStore("team-b/secret");
            log("team-b/secret", "stale_refused", 1);
            acquireInTheStore("team-a/x");
            assertThat(client.next()).isEqualTo("acquired team-a/x 1 first");
            assertThat(client.next(6_000)).isNull();
            // Also not in the ids that tell where to continue.
            assertThat(client.text()).contains("id: ").doesNotContain("secret");
        }
    }

    @Test
    void aKeyThatIsRevokedHearsNoMore() throws Exception {
        AccessKeys keys = new AccessKeys(store.register());
        AccessKeys.Made key = keys.add("somebody", Role.READER, "", null);
        try (EventClient client = new EventClient(server.uri(), "/v1/events", key.text(), null)) {
            keys.revoke(key.key().id());
            await(client::hasEnded);
        }
        await(() -> server.listening() == 0);
    }

    @Test
    void whatIsNoPositionAndNoTypeIsRefused() throws Exception {
        assertThat(api.get("/v1/events?types=lost,nonsense").text("detail"))
                .contains("unknown type of event 'nonsense'");
        assertThat(
                        RawHttp.exchange(
                                server.uri(),
                                "GET /v1/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: nonsense\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 400")
                .contains("this is not the position of an event");
        assertThat(
                        RawHttp.exchange(
                                server.uri(),
                                "GET /v1/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 9000000000000000\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 400")
                .contains("is in the future of this store");
    }

    @Test
    void everyRefusalIsDocumented() throws Exception {
        String otherHost = RawHttp.exchange(
                server.uri(), "GET /v1/events HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
        assertThat(otherHost).startsWith("HTTP/1.1 421");
        DOCUMENT.checkAnswer(
                "GET",
                "/v1/events",
                421,
                "application/problem+json",
                otherHost.substring(otherHost.indexOf("\r\n\r\n") + 4));
        try (LeaseholdServer broken = SharedServer.start(
                FailingStore.of(new MemoryLeaseStore(), new StoreUnavailableException("no answer")))) {
            assertThat(new ApiClient(broken.uri(), DOCUMENT).get("/v1/events").status())
                    .isEqualTo(503);
        }
        try (LeaseholdServer limited = LeaseholdServer.over(store)
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .callsPerSecond(1)
                .start()) {
            ApiClient client = new ApiClient(limited.uri(), DOCUMENT);
            for (int i = 0; i < 3; i++) {
                client.get("/v1/store");
            }
            assertThat(client.get("/v1/events?types=nonsense").status()).isIn(400, 429);
        }
        new AccessKeys(store.register()).add("somebody", Role.READER, "", null);
        await(() -> api.get("/v1/events").status() == 401);
    }
}
