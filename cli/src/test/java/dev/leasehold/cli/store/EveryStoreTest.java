package dev.leasehold.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Stores;
import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.environment.InstalledProgram;
import dev.leasehold.testkit.environment.Requires;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every command on every kind of store that the program includes. */
class EveryStoreTest {
    @RegisterExtension
    static final ServerStore POSTGRESQL = ServerStore.POSTGRESQL;

    @RegisterExtension
    static final ServerStore REDIS = ServerStore.REDIS;

    @TempDir
    static Path folder;

    static List<String> urls() {
        return List.of(
                "file:" + folder.resolve("leases"),
                "sqlite:" + folder.resolve("leases.db"),
                "h2:" + folder.resolve("leases-h2"),
                POSTGRESQL.url(),
                REDIS.url());
    }

    @ParameterizedTest
    @MethodSource("urls")
    void everyCommandWorks(String url) throws IOException {
        new EveryCommand(Files.createTempDirectory(folder, "on"), url).onANewStore();
    }

    private static void everyCommandWorksOn(ServerStore server) throws IOException {
        new EveryCommand(Files.createTempDirectory(folder, "on"), server.url())
                .in(server.environment())
                .onANewStore();
    }

    /** A store without a clock: each command is a process of its own, and goes on with what earlier ones have seen. */
    @Nested
    @Requires("etcd")
    class Etcd {
        @RegisterExtension
        static final ServerStore SERVER = ServerStore.ETCD;

        @Test
        void everyCommandWorksOnEtcd() throws IOException {
            everyCommandWorksOn(SERVER);
        }

        /** No single command waits for the ttl, so without their common memory the lease would never be granted. */
        @Test
        void commandsWaitTogetherForTheLeaseOfADeadHolder() {
            CliRunner commands = new CliRunner()
                    .withDrivers()
                    .env("LEASEHOLD_STORE", SERVER.url().replace("/leases", "/waiting"))
                    .env("XDG_STATE_HOME", folder.resolve("state").toString());
            assertThat(commands.run("store", "init").code()).isZero();
            assertThat(commands.process("acquire", "dead", "--ttl", "4s").code())
                    .isZero();
            int tries = 1;
            while (commands.process("acquire", "dead", "--ttl", "4s").code() == ExitCode.BUSY) {
                tries++;
                assertThat(tries).as("tries").isLessThan(200);
            }
            assertThat(tries).isGreaterThan(1);
            assertThat(folder.resolve("state/leasehold-observations")).isNotEmptyDirectory();
        }
    }

    @Nested
    @Requires(InstalledProgram.MYSQL)
    class MySql {
        @RegisterExtension
        static final ServerStore SERVER = ServerStore.MYSQL;

        @Test
        void everyCommandWorksOnMySql() throws IOException {
            everyCommandWorksOn(SERVER);
        }
    }

    @Nested
    @Requires("mariadbd")
    class MariaDb {
        @RegisterExtension
        static final ServerStore SERVER = ServerStore.MARIADB;

        @Test
        void everyCommandWorksOnMariaDb() throws IOException {
            everyCommandWorksOn(SERVER);
        }
    }

    @Nested
    class ZooKeeper {
        @RegisterExtension
        static final ServerStore SERVER = ServerStore.ZOOKEEPER;

        @Test
        void everyCommandWorksOnZooKeeper() throws IOException {
            everyCommandWorksOn(SERVER);
        }
    }

    @Nested
    @Requires("nats-server")
    class Nats {
        @RegisterExtension
        static final ServerStore SERVER = ServerStore.NATS;

        @Test
        void everyCommandWorksOnNats() throws IOException {
            everyCommandWorksOn(SERVER);
        }
    }

    @Nested
    class S3 {
        @RegisterExtension
        static final ServerStore SERVER = ServerStore.S3;

        @Test
        void everyCommandWorksOnS3() throws IOException {
            everyCommandWorksOn(SERVER);
        }
    }

    @Nested
    class DynamoDb {
        @RegisterExtension
        static final ServerStore SERVER = ServerStore.DYNAMODB;

        @Test
        void everyCommandWorksOnDynamoDb() throws IOException {
            everyCommandWorksOn(SERVER);
        }
    }

    @Nested
    @Requires(InstalledProgram.WORKERD)
    class DurableObjects {
        @RegisterExtension
        static final ServerStore SERVER = ServerStore.DURABLE_OBJECTS;

        @Test
        void everyCommandWorksOnDurableObjects() throws IOException {
            everyCommandWorksOn(SERVER);
        }
    }

    @Nested
    @Requires(InstalledProgram.FIRESTORE)
    class Firestore {
        @RegisterExtension
        static final ServerStore SERVER = ServerStore.FIRESTORE;

        @Test
        void everyCommandWorksOnFirestore() throws IOException {
            everyCommandWorksOn(SERVER);
        }
    }

    /** A server is a store like any other, except for what only its own host may do. */
    @Test
    void everyCommandWorksThroughAServer() throws IOException {
        try (LeaseStore behind = Stores.create("file:" + folder.resolve("served"));
                LeaseholdServer server = LeaseholdServer.over(behind)
                        .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .start()) {
            String served = server.uri().toString();
            EveryCommand every = new EveryCommand(Files.createTempDirectory(folder, "on"), served);
            every.onAStore();
            String pinned = every.ok("store", "init");
            assertThat(pinned).contains("id=" + behind.id().value());
            assertThat(every.ok("status", "--store", pinned)).contains("day");
            String other = pinned.replaceFirst("id=.*", "id=another-store");
            assertThat(every.code("status", "--store", other)).isEqualTo(ExitCode.UNAVAILABLE);
            every.refused("keys are made in the store itself", "keys", "add", "sandbox", "--role", "reader");
            every.refused("keys are made in the store itself", "keys", "list");
            String file = "file:" + folder.resolve("served");
            String away = "file:" + folder;
            every.refused("the store behind the server", "store", "migrate", "--from", served, "--to", away);
            every.refused("the store behind the server", "store", "migrate", "--from", file, "--to", served);
            every.refused("only a file store can be adopted", "store", "adopt", served);
            every.assertAllTried();
        }
    }
}
