package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.Stores;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreMissingException;
import dev.leasehold.model.StoreMovedException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.testkit.ForwardingLeaseStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The client when the network or the server fails. */
class HttpLeaseStoreTest {
    private static final LeaseName JOB = LeaseName.of("job");
    private static final Holder ALICE = Holder.of("alice");
    private static final Duration LONG = Duration.ofMinutes(10);

    @TempDir
    Path directory;

    private static Acquisition acquire(LeaseStore store) {
        return store.acquire(JOB, AttemptId.of(UUID.randomUUID().toString()), ALICE, LONG);
    }

    @Test
    void anAnswerThatWasLostIsAskedForAgain() throws Exception {
        try (LeaseStore behind = new MemoryLeaseStore();
                LeaseholdServer server = SharedServer.start(behind);
                DroppingProxy proxy = new DroppingProxy(server.uri());
                LeaseStore store = Stores.open(proxy.url())) {
            proxy.dropAnswers(1);
            Grant grant = ((Acquisition.Granted) acquire(store)).grant();
            assertThat(proxy.left()).isZero();
            assertThat(grant.token().value()).isEqualTo(1);
            proxy.dropAnswers(1);
            assertThat(store.renew(List.of(new RenewRequest(grant, LONG)))).allMatch(Renewal.Renewed.class::isInstance);
            proxy.dropAnswers(1);
            assertThat(store.release(grant, Duration.ZERO)).isNotInstanceOf(Release.NotCurrent.class);
        }
    }

    /** The second request would find its own value and report that nothing was changed. */
    @Test
    void aChangeOfTheRegisterIsNotRepeated() throws Exception {
        try (LeaseStore behind = new MemoryLeaseStore();
                LeaseholdServer server = SharedServer.start(behind);
                DroppingProxy proxy = new DroppingProxy(server.uri());
                LeaseStore store = Stores.open(proxy.url())) {
            proxy.dropAnswers(1);
            assertThatThrownBy(() -> store.register().compareAndSet("key", CasRegister.ABSENT, "value"))
                    .isInstanceOf(StoreUnavailableException.class);
            assertThat(store.register().read("key").value()).contains("value");
        }
    }

    @Test
    void aServerThatIsRestartedCostsNoLease() throws Exception {
        try (LeaseStore behind = Stores.create("file:" + directory.resolve("store"))) {
            LeaseholdServer server = SharedServer.start(behind);
            int port = server.uri().getPort();
            try (Leases leases = Leases.over(Stores.open("http://127.0.0.1:" + port + "?timeout=1s"))
                    .terms(LeaseTerms.ofTtl(Duration.ofSeconds(6)))
                    .build()) {
                Lease lease = leases.tryAcquire("job").lease().orElseThrow();
                for (int i = 0; i < 2; i++) {
                    server.close();
                    TimeUnit.MILLISECONDS.sleep(1500);
                    server = LeaseholdServer.over(behind)
                            .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                            .start();
                    TimeUnit.MILLISECONDS.sleep(2500);
                }
                assertThat(lease.isTrusted()).isTrue();
                lease.close();
            }
            server.close();
            assertThat(behind.history(JOB, 9)).hasSize(1);
        }
    }

    @Test
    void anotherServerOfTheSameStoreTakesOver() throws Exception {
        try (LeaseStore behind = new MemoryLeaseStore();
                LeaseholdServer first = SharedServer.start(behind);
                LeaseholdServer second = SharedServer.start(behind);
                LeaseStore store = Stores.open("http://127.0.0.1:" + first.uri().getPort() + ",127.0.0.1:"
                        + second.uri().getPort() + "/")) {
            Grant grant = ((Acquisition.Granted) acquire(store)).grant();
            first.close();
            assertThat(store.renew(List.of(new RenewRequest(grant, LONG)))).allMatch(Renewal.Renewed.class::isInstance);
            assertThat(store.register().compareAndSet("key", CasRegister.ABSENT, "value"))
                    .isTrue();
        }
    }

    /** More than fit into one request. */
    @Test
    void manyLeasesAreRenewedTogether() throws Exception {
        try (LeaseStore behind = new MemoryLeaseStore();
                LeaseholdServer server = SharedServer.start(behind);
                LeaseStore store = Stores.open(server.uri().toString())) {
            List<RenewRequest> requests = new ArrayList<>();
            for (int i = 0; i < 1234; i++) {
                LeaseName name = LeaseName.of("n".repeat(190) + i);
                AttemptId attempt = AttemptId.of(UUID.randomUUID().toString());
                requests.add(new RenewRequest(
                        ((Acquisition.Granted) behind.acquire(name, attempt, ALICE, LONG)).grant(), LONG));
            }
            assertThat(store.renew(requests)).hasSize(1234).allMatch(Renewal.Renewed.class::isInstance);
            assertThat(store.names("", "", 2000)).hasSize(1234);
            assertThat(store.list("", "", 1001)).hasSize(1001);
        }
    }

    /** A thread that is told to stop must still be able to give its lease back. */
    @Test
    void anInterruptDoesNotPreventARelease() throws Exception {
        try (LeaseStore behind = new MemoryLeaseStore();
                LeaseholdServer server = SharedServer.start(behind);
                LeaseStore store = Stores.open(server.uri().toString())) {
            Grant grant = ((Acquisition.Granted) acquire(store)).grant();
            Thread.currentThread().interrupt();
            assertThat(store.release(grant, Duration.ZERO)).isInstanceOf(Release.Released.class);
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    /** The interrupt comes while the server works on the call. */
    @Test
    void anInterruptDoesNotEndACallThatIsUnderWay() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        try (LeaseStore behind = new ForwardingLeaseStore(new MemoryLeaseStore()) {
                    @Override
                    public Release release(Grant grant, Duration minHold) {
                        arrived.countDown();
                        awaitQuietly(interrupted);
                        return super.release(grant, minHold);
                    }
                };
                LeaseholdServer server = SharedServer.start(behind);
                LeaseStore store = Stores.open(server.uri().toString())) {
            Grant grant = ((Acquisition.Granted) acquire(store)).grant();
            Thread caller = Thread.currentThread();
            CompletableFuture<Void> stop = CompletableFuture.runAsync(() -> {
                awaitQuietly(arrived);
                caller.interrupt();
                interrupted.countDown();
            });
            assertThat(store.release(grant, Duration.ZERO)).isNotInstanceOf(Release.NotCurrent.class);
            assertThat(Thread.interrupted()).isTrue();
            stop.get(60, TimeUnit.SECONDS);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The headers arrive in time, and the body never does. */
    @Test
    void aServerThatStopsInTheMiddleOfAnAnswerIsGivenUp() throws Exception {
        try (ServerSocket stopping = new ServerSocket(0)) {
            CompletableFuture<Void> answers = CompletableFuture.runAsync(() -> {
                try (Socket client = stopping.accept()) {
                    RawHttp.send(client, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{");
                    // Ends when the client closes the connection.
                    client.getInputStream().readAllBytes();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            assertThatThrownBy(() -> Stores.open("http://127.0.0.1:" + stopping.getLocalPort() + "?timeout=500ms"))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("did not answer in time");
            answers.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void problemsOfTheStoreArriveAsTheyAre() throws Exception {
        for (RuntimeException failure : List.of(
                new StoreUnavailableException("the disk is gone"),
                new StoreMissingException("there is no store"),
                new StoreCorruptException("a record is damaged"),
                new StoreMovedException(
                        StoreId.of("store-0001"),
                        StoreMovedException.Stage.MOVED,
                        "file:/elsewhere",
                        "it was moved"))) {
            try (LeaseholdServer server = SharedServer.start(FailingStore.of(new MemoryLeaseStore(), failure))) {
                assertThatThrownBy(() -> Stores.open(server.uri().toString()))
                        .isInstanceOf(failure.getClass())
                        .hasMessage(failure.getMessage());
            }
        }
    }

    @Test
    void aServerThatIsNotThereOrIsAnotherProgramIsNamed() throws Exception {
        int port;
        try (ServerSocket silent = new ServerSocket(0)) {
            port = silent.getLocalPort();
            assertThatThrownBy(() -> Stores.open("http://127.0.0.1:" + port + "?timeout=200ms"))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("127.0.0.1:" + port + " did not answer in time");
        }
        assertThatThrownBy(() -> Stores.open("http://127.0.0.1:" + port + "?timeout=2s"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("is not reachable");
        try (LeaseholdServer server = SharedServer.start(new MemoryLeaseStore())) {
            assertThatThrownBy(() -> Stores.open(server.uri() + "/wrong/path"))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("there is no such call");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://",
                "http://a b",
                "http://user:s3cret@host",
                "http://host:port",
                "http://host?timeout=1",
                "http://host?timeout=2m",
                "http://host?user=s3cret",
                "http://a,,b",
                "http:host"
            })
    void aMistypedUrlIsExplained(String url) {
        assertThatThrownBy(() -> Stores.open(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("http://host[:port]")
                .hasMessageNotContaining("s3cret");
    }
}
