package dev.leasehold.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Stores;
import dev.leasehold.model.StoreMissingException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.environment.Requires;
import dev.leasehold.testkit.servers.LoopbackPort;
import dev.leasehold.testkit.servers.NatsServer;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** URLs, users and messages. */
@Requires("nats-server")
@ExtendWith(SharedNats.class)
class NatsStoreTest {
    private final String place = "127.0.0.1:" + SharedNats.server().port();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nats://",
                "nats:///leases",
                "nats://host",
                "nats://host/",
                "nats://host/a/b",
                "nats://host/a.b",
                "nats://host:99999/leases",
                "nats://host:/leases",
                "nats://user:secret@a:1,b:/leases",
                "nats://[::1]:/leases",
                "nats://secret@host/leases",
                "nats://user:sec%ret@host/leases",
                "nats://user:secret@host,/leases",
                "nats://user:secret@host/leases?timeout=1h",
                "nats://user:secret@host/leases?secret=1",
                "nats://user:secret@host,user2:secret2@host2/leases",
                "nats://user:secret@host/leases?password-file=/secret",
                "nats://host/leases?password-file=/secret",
                "nats://user@host/leases?password-file=secret",
                "nats://user:secret@host/leases#x"
            })
    void malformedUrlIsRefusedWithoutItsPassword(String url) {
        assertThatThrownBy(() -> NatsUrl.parse(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nats://")
                .hasMessageNotContaining("secret");
    }

    @Test
    void hostThatDoesNotExistIsNamed() {
        assertThatThrownBy(() -> Stores.open("nats://no-such-host.invalid/leases?timeout=300ms"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("no host has the name no-such-host.invalid; nothing was sent");
    }

    @Test
    void serverThatIsNotThereIsNamed() throws Exception {
        String url = "nats://127.0.0.1:" + LoopbackPort.free() + "/leases?timeout=300ms";
        assertThatThrownBy(() -> Stores.open(url))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("cannot be reached");
    }

    @Test
    void useDoesNotCreateAStore() {
        String url = "nats://" + place + "/nothing-" + UUID.randomUUID();
        assertThatThrownBy(() -> Stores.open(url))
                .isInstanceOf(StoreMissingException.class)
                .hasMessageContaining("store init")
                .hasMessageContaining(place);
        Stores.create(url).close();
        try (LeaseStore store = Stores.open(url)) {
            assertThat(store.atomicBecause()).isPresent();
            assertThat(store.warnings()).isEmpty();
        }
    }

    @Test
    void passwordIsChecked() throws Exception {
        try (NatsServer server = NatsServer.start("--user", "app", "--pass", "s:cret")) {
            String there = "127.0.0.1:" + server.port() + "/leases";
            Stores.create("nats://app:s%3Acret@" + there).close();
            for (String other : new String[] {"", "app:wrong@"}) {
                assertThatThrownBy(() -> Stores.open("nats://" + other + there))
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageNotContaining("wrong");
            }
        }
    }
}
