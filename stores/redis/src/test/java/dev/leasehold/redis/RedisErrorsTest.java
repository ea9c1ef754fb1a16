package dev.leasehold.redis;

import static dev.leasehold.redis.Fixtures.acquire;
import static dev.leasehold.redis.Fixtures.command;
import static dev.leasehold.redis.Fixtures.freshName;
import static dev.leasehold.redis.Fixtures.withClient;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Stores;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Release;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.environment.Requires;
import dev.leasehold.testkit.servers.LoopbackPort;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;

/** Error messages say what to do, and never contain the password. */
@ExtendWith(SharedRedis.class)
class RedisErrorsTest {
    private static final String SECRET = "correct-horse";

    @Test
    void missingAndWrongPasswordsAreReportedAndNeverShown() throws Exception {
        try (RedisProcess server = RedisProcess.start("--requirepass", SECRET)) {
            assertUnavailable(server.url(), "requires a password");
            String wrong = "redis://:battery-staple@127.0.0.1:" + server.port();
            assertUnavailable(wrong, "rejects this user or password");
            String right = "redis://:" + SECRET + "@127.0.0.1:" + server.port();
            try (LeaseStore store = Stores.create(right)) {
                acquire(store, freshName());
                server.kill();
                assertThatThrownBy(() -> acquire(store, freshName()))
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining("127.0.0.1:" + server.port())
                        .hasMessageContaining("it is unknown whether the operation took effect")
                        .hasMessageEndingWith(
                                "Check that the server is running and that the URL has the right host and" + " port")
                        .satisfies(RedisErrorsTest::assertNoSecret);
            }
        }
    }

    @Test
    void passwordForAServerWithoutOneIsReported() {
        String url = SharedRedis.url().replace("redis://", "redis://:" + SECRET + "@");
        assertUnavailable(url, "Leave it out of the URL");
    }

    /** Some servers quote the command they received in an error. */
    @Test
    void serverThatRepeatsThePasswordIsNotQuoted() throws Exception {
        try (ServerSocket chatty = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread thread = new Thread(() -> answerWithSecret(chatty), "chatty");
            thread.setDaemon(true);
            thread.start();
            assertUnavailable("redis://bob:" + SECRET + "@127.0.0.1:" + chatty.getLocalPort(), "unknown command");
        }
    }

    private static void answerWithSecret(ServerSocket chatty) {
        try (Socket socket = chatty.accept()) {
            if (socket.getInputStream().read(new byte[1000]) > 0) {
                String error = "-ERR unknown command `AUTH`, with args beginning with: `bob`, `" + SECRET + "`\r\n";
                socket.getOutputStream().write(error.getBytes(StandardCharsets.UTF_8));
                socket.getInputStream().read(new byte[1000]);
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    @Test
    void silentServerTimesOut() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            long began = System.nanoTime();
            assertUnavailable(
                    "redis://127.0.0.1:" + silent.getLocalPort() + "?timeout=200ms", "within 200 ms", "?timeout=");
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
        }
    }

    @Test
    void callsToASilentServerEndAlsoAfterTheClientIsClosed() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            RedisClient client = RedisClient.connect("redis://127.0.0.1:" + silent.getLocalPort() + "?timeout=200ms");
            CompletableFuture<Object> waiting =
                    CompletableFuture.supplyAsync(() -> client.call(RedisClient.Repeat.SAFE, Protocol.Command.PING));
            try (Socket accepted = silent.accept()) {
                client.close();
                assertThatThrownBy(() -> waiting.get(10, TimeUnit.SECONDS))
                        .hasCauseInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining("within 200 ms");
            }
        }
    }

    @Test
    void unreachableServerIsNamed() throws Exception {
        int port = LoopbackPort.free();
        assertUnavailable(
                "redis://127.0.0.1:" + port, "127.0.0.1:" + port, "cannot be reached", "refused", "nothing was sent");
    }

    @Test
    void databaseThatDoesNotExistIsNamed() {
        assertUnavailable(SharedRedis.url() + "/99", "has no database 99", "nothing was changed");
    }

    @Test
    void tlsAtAPlainPortIsNamed() {
        assertUnavailable(SharedRedis.url().replace("redis://", "rediss://"), "does not speak TLS", "nothing was sent");
    }

    @Test
    void passwordComesFromAFileOrTheEnvironment(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("password"), SECRET + "\nsecond line");
        try (RedisProcess server = RedisProcess.start("--requirepass", SECRET)) {
            String byFile = server.url() + "?password-file=" + file;
            try (LeaseStore store = Stores.create(byFile)) {
                acquire(store, freshName());
            }
            assertThat(RedisAddress.parse(server.url(), SECRET).password()).isEqualTo(SECRET);
            assertThat(RedisAddress.parse(byFile, "of the environment").password())
                    .as("the URL goes first")
                    .isEqualTo(SECRET);
            assertThat(RedisAddress.parse("redis://bob@h?password-file=" + file).user())
                    .isEqualTo("bob");
        }
        for (String wrong : List.of(
                "redis://:x@h?password-file=" + file,
                "redis://h?password-file=relative",
                "redis://h?password-file=" + directory,
                "redis://h?password-file=" + directory.resolve("missing"))) {
            assertThatThrownBy(() -> RedisAddress.parse(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("password");
        }
    }

    @Test
    void replicaPointsToThePrimary() throws Exception {
        int primary =
                Integer.parseInt(SharedRedis.url().substring(SharedRedis.url().lastIndexOf(':') + 1));
        try (RedisProcess replica = RedisProcess.start("--replicaof", "127.0.0.1", Integer.toString(primary))) {
            String url = replica.url() + "?ns=only-on-the-replica";
            awaitLink(replica.url());
            assertUnavailable(url, "Point the URL to the primary");
        }
    }

    private static void awaitLink(String url) throws InterruptedException {
        for (int i = 0; i < 1000; i++) {
            String info = Resp.text(command(url, Protocol.Command.INFO, "replication"));
            if (info.contains("master_link_status:up")) {
                return;
            }
            Thread.sleep(10);
        }
        throw new AssertionError("the replica did not connect");
    }

    @Test
    void keyOfAnotherTypeIsLeftAlone() {
        String url = SharedRedis.url() + "?ns=occupied";
        LeaseName name = freshName();
        LeaseName other = freshName();
        command(url, Protocol.Command.SET, "{leasehold:occupied}:lease:" + name, "something else");
        command(url, Protocol.Command.LPUSH, "{leasehold:occupied}:lease:" + other, "a list");
        try (LeaseStore store = Stores.create(url)) {
            assertThatThrownBy(() -> acquire(store, name))
                    .isInstanceOf(StoreCorruptException.class)
                    .hasMessageContaining("?ns=");
            assertThatThrownBy(() -> acquire(store, other))
                    .isInstanceOf(StoreCorruptException.class)
                    .hasMessageContaining("?ns=");
        }
        assertThat(Resp.text(command(url, Protocol.Command.GET, "{leasehold:occupied}:lease:" + name)))
                .isEqualTo("something else");
    }

    @Test
    void editedRecordBlocksThatName() {
        String url = SharedRedis.url() + "?ns=edited";
        try (LeaseStore store = Stores.create(url)) {
            for (int cut : new int[] {1, 16, 24, 25, 28}) {
                LeaseName name = freshName();
                Grant grant = acquire(store, name);
                byte[] key = Resp.bytes("{leasehold:edited}:lease:" + name);
                byte[] whole = (byte[])
                        withClient(url, client -> client.call(RedisClient.Repeat.SAFE, Protocol.Command.GET, key));
                for (byte[] left : List.of(Arrays.copyOf(whole, cut), Arrays.copyOfRange(whole, cut, whole.length))) {
                    withClient(url, client -> client.call(RedisClient.Repeat.SAFE, Protocol.Command.SET, key, left));
                    assertThatThrownBy(() -> acquire(store, name))
                            .as("cut after %d", cut)
                            .isInstanceOf(StoreCorruptException.class)
                            .hasMessageContaining("backup");
                    assertThatThrownBy(() -> store.inspect(name)).isInstanceOf(StoreCorruptException.class);
                    assertThatThrownBy(() -> store.release(grant, Duration.ZERO))
                            .isInstanceOf(StoreCorruptException.class);
                }
            }
        }
    }

    @Test
    @Requires("unshare")
    void fullDiskIsNamed(@TempDir Path disk) throws Exception {
        try (RedisProcess server = RedisProcess.startOnASmallDisk(disk);
                LeaseStore store = Stores.create(server.url())) {
            Grant grant = acquire(store, freshName());
            String large = "x".repeat(100_000);
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100; i++) {
                            command(server.url(), Protocol.Command.SET, "filler-" + i, large);
                        }
                    })
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("has no space left on its disk");
            LeaseName name = freshName();
            assertThatThrownBy(() -> acquire(store, name))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("has no space left on its disk; nothing was changed")
                    .hasMessageContaining("Make room");
            assertThat(store.inspect(name)).isEmpty();
            assertThat(store.inspect(grant.name())).isPresent();
        }
    }

    /** Redis 6 has permissions for channels; a user without them can still hold and release. */
    @Test
    void userNeedsOnlyTheRightsThatTheMessageNames() throws Exception {
        try (RedisProcess server = RedisProcess.start()) {
            command(server.url(), Protocol.Command.ACL, "SETUSER", "nobody", "on", ">" + SECRET, "+get", "~*");
            String nobody = "redis://nobody:" + SECRET + "@127.0.0.1:" + server.port();
            assertThatThrownBy(() -> Stores.create(nobody))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("~{leasehold:default}:*")
                    .satisfies(RedisErrorsTest::assertNoSecret);
            command(
                    server.url(),
                    Protocol.Command.ACL,
                    "SETUSER",
                    "app",
                    "on",
                    ">" + SECRET,
                    "resetchannels",
                    "~{leasehold:default}:*",
                    "+@scripting",
                    "+@hash",
                    "+@sortedset",
                    "+@string",
                    "+@pubsub",
                    "+@connection",
                    "+time",
                    "+del");
            try (LeaseStore store = Stores.create("redis://app:" + SECRET + "@127.0.0.1:" + server.port())) {
                LeaseName name = freshName();
                Grant grant = acquire(store, name);
                store.watch(name).orElseThrow().close();
                assertThat(store.release(grant, Duration.ZERO)).isInstanceOf(Release.Released.class);
                acquire(store, name);
                assertThat(store.warnings()).anyMatch(w -> w.contains("could not be checked"));
                assertThat(store.list("", "", 10)).hasSize(1);
                assertThat(store.history(name, 10)).hasSize(2);
                assertThat(store.register().compareAndSet("k", "", "v")).isTrue();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'LOADING Redis is loading the dataset in memory', still loading",
        "'MOVED 3999 10.0.0.7:6381', Point the URL to the node that does: 10.0.0.7:6381",
        "'CLUSTERDOWN The cluster is down', try again",
        "'OOM command not allowed when used memory > maxmemory.', Raise maxmemory",
        "'MISCONF Redis is configured to save RDB snapshots', accepts no writes now",
        "'ERR Error running script (call to f_1): @user_script:3: @user_script: 3: -OOM command not allowed', Raise maxmemory",
        "'NOREPLICAS Not enough good replicas to write.', accepts no writes now",
        "'BUSY Redis is busy running a script.', try again"
    })
    void serverErrorsAreExplained(String error, String advice) {
        RedisFailures failures =
                new RedisFailures(RedisAddress.parse("redis://:" + SECRET + "@example.org"), () -> null);
        assertThat(failures.explain(new JedisDataException(error)))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining(advice)
                .hasMessageContaining("redis://example.org:6379");
    }

    private static void assertUnavailable(String url, String... words) {
        assertThatThrownBy(() -> Stores.create(url).close())
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContainingAll(words)
                .satisfies(RedisErrorsTest::assertNoSecret);
    }

    private static void assertNoSecret(Throwable failure) {
        StringWriter everything = new StringWriter();
        failure.printStackTrace(new PrintWriter(everything));
        assertThat(everything.toString()).doesNotContain(SECRET, "battery-staple");
    }
}
