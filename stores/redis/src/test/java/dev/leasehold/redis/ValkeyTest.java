package dev.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.environment.InstalledProgram;
import dev.leasehold.testkit.environment.Requires;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Protocol;

/** The contracts on Valkey, under its own name. */
@Requires(InstalledProgram.VALKEY)
class ValkeyTest {
    private static RedisProcess server;

    @BeforeAll
    static void start() throws Exception {
        server = RedisProcess.startValkey();
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    private static String valkey() {
        return server.url().replace("redis://", "valkey://");
    }

    @Test
    void itIsValkey() {
        assertThat(Resp.text(Fixtures.command(valkey(), Protocol.Command.INFO, "server")))
                .contains("server_name:valkey");
        try (LeaseStore store = RedisLeaseStore.create(valkey())) {
            assertThat(store.warnings()).anyMatch(each -> each.contains("append-only file"));
        }
    }

    @Nested
    class Leases extends RedisLeaseStoreContractTest {
        @Override
        String server() {
            return valkey();
        }
    }

    @Nested
    class Histories extends RedisLinearizabilityTest {
        @Override
        String server() {
            return valkey();
        }
    }

    @Nested
    class Work extends RedisWorkLedgerContractTest {
        @Override
        String server() {
            return valkey();
        }
    }

    @Nested
    class Registers extends RedisRegisterContractTest {
        @Override
        String server() {
            return valkey();
        }
    }

    @Nested
    class Fences extends RedisFenceContractTest {
        @Override
        String server() {
            return valkey();
        }
    }

    @Nested
    class HashFences extends RedisHashFenceContractTest {
        @Override
        String server() {
            return valkey();
        }
    }

    @Nested
    class Moves extends RedisStoreMoveTest {
        @Override
        String server() {
            return valkey();
        }
    }
}
