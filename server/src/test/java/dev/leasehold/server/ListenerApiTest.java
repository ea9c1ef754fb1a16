package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.events.RunEntry;
import dev.leasehold.events.RunLog;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.testkit.ForwardingLeaseStore;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The connections of clients that listen to events: how they end, and what they cost. */
abstract class ListenerApiTest extends ApiFixture {
    private static final Holder BOB = Holder.of("bob");

    @Test
    void aServerThatStopsEndsTheStreamsAtOnce() throws Exception {
        LeaseholdServer other = SharedServer.start(store);
        try (EventClient client = new EventClient(other.uri(), "/v1/events", null, null)) {
            other.close();
            await(client::hasEnded);
        }
    }

    @Test
    void aClientThatHangsUpIsForgotten() throws Exception {
        try (EventClient client = new EventClient(server.uri(), "/v1/events", null, null)) {
            assertThat(server.listening()).isEqualTo(1);
        }
        await(() -> server.listening() == 0);
    }

    @Test
    void aClientThatDoesNotReadHoldsUpNobody() throws Exception {
        try (Socket deaf = new Socket()) {
            deaf.setReceiveBufferSize(4096);
            deaf.connect(
                    new InetSocketAddress(server.uri().getHost(), server.uri().getPort()));
            deaf.getOutputStream()
                    .write("GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            await(() -> server.listening() == 1);
            try (EventClient client = new EventClient(server.uri(), "/v1/events?types=acquired", null, null)) {
                for (int i = 0; i < 400; i++) {
                    new RunLog(store.register())
                            .append(
                                    LeaseName.of("noise-" + i % 8),
                                    new RunEntry(Instant.EPOCH, "ran", null, BOB, Duration.ZERO, "why"));
                }
                acquireInTheStore("a");
                assertThat(client.next()).isEqualTo("acquired a 1 first");
            }
        }
    }

    private static MemoryLeaseStore withManyRuns() {
        MemoryLeaseStore full = new MemoryLeaseStore();
        RunLog log = new RunLog(full.register());
        for (int i = 0; i < 300; i++) {
            for (int run = 0; run < 50; run++) {
                log.append(
                        LeaseName.of("job-" + i),
                        new RunEntry(Instant.EPOCH, "ran", FencingToken.of(1), BOB, Duration.ZERO, "x".repeat(400)));
            }
        }
        return full;
    }

    /** What they have missed is in memory until they take it, so they must not stay for ever. */
    @Test
    void clientsThatTakeNothingAreCutOffAndOthersCatchUp() throws Exception {
        MemoryLeaseStore full = withManyRuns();
        String key = new AccessKeys(full.register())
                .add("somebody", Role.READER, "", null)
                .text();
        List<Socket> deaf = new ArrayList<>();
        try (LeaseholdServer other = LeaseholdServer.over(full)
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .longestStall(Duration.ofSeconds(4))
                .start()) {
            for (int i = 0; i < 3; i++) {
                Socket socket = new Socket();
                socket.setReceiveBufferSize(4096);
                socket.connect(
                        new InetSocketAddress(other.uri().getHost(), other.uri().getPort()));
                RawHttp.send(
                        socket,
                        "GET /v1/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 1\r\nAuthorization: Bearer " + key
                                + "\r\n\r\n");
                deaf.add(socket);
            }
            await(() -> other.listening() == 3);
            try (EventClient client = new EventClient(other.uri(), "/v1/events?prefix=job-299", key, "1")) {
                // The buffers of their connections take some megabytes.
                for (int i = 0; i < 1200 && other.listening() > 1; i++) {
                    Thread.sleep(100);
                }
                assertThat(other.listening()).isEqualTo(1);
                for (int i = 0; i < 50; i++) {
                    assertThat(client.next(60_000)).isNotNull();
                }
            }
        } finally {
            for (Socket socket : deaf) {
                socket.close();
            }
        }
    }

    @Test
    void aKeyIsCountedHoweverItsHeaderIsWritten() throws Exception {
        String key = new AccessKeys(store.register())
                .add("somebody", Role.READER, "", null)
                .text();
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < 50; i++) {
                Socket socket = RawHttp.connect(server.uri());
                RawHttp.send(
                        socket,
                        "GET /v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: "
                                + (i % 2 == 0 ? "Bearer " : "bearer  ") + key + "\r\n\r\n");
                sockets.add(socket);
            }
            await(() -> server.listening() == 50);

            assertThat(RawHttp.exchange(
                            server.uri(),
                            "GET /v1/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: BEARER "
                                    + key + "\r\n\r\n"))
                    .startsWith("HTTP/1.1 503")
                    .contains("50 clients listen with this key already");
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    @Test
    void aDefectIsAnsweredAndKeepsNobodyWaiting() throws Exception {
        boolean[] defect = {true};
        try (LeaseholdServer broken = SharedServer.start(new ForwardingLeaseStore(store) {
            @Override
            public List<LeaseSnapshot> list(String prefix, String after, int limit) {
                if (defect[0]) {
                    throw new IllegalStateException("a defect");
                }
                return super.list(prefix, after, limit);
            }
        })) {
            assertThat(RawHttp.exchange(
                            broken.uri(), "GET /v1/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 500");
            defect[0] = false;
            try (EventClient client = new EventClient(broken.uri(), "/v1/events", null, null)) {
                acquireInTheStore("a");
                assertThat(client.next()).isEqualTo("acquired a 1 first");
            }
        }
    }
}
