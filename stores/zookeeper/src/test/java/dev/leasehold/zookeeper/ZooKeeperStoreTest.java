package dev.leasehold.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Stores;
import dev.leasehold.internal.ClusterUrl;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreMissingException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.Watch;
import dev.leasehold.testkit.servers.LoopbackPort;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** URLs, users, watches and messages. */
@ExtendWith(SharedZooKeeper.class)
class ZooKeeperStoreTest {
    private final String place = "127.0.0.1:" + SharedZooKeeper.server().port();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "zookeeper://",
                "zookeeper:///leases",
                "zookeeper://host",
                "zookeeper://host/",
                "zookeeper://host/zookeeper/leases",
                "zookeeper://host/a/../leases",
                "zookeeper://host//leases",
                "zookeeper://host:99999/leases",
                "zookeeper://host:/leases",
                "zookeeper://user:secret@a:1,b:/leases",
                "zookeeper://[::1]:/leases",
                "zookeeper://secret@host/leases",
                "zookeeper://user:sec%ret@host/leases",
                "zookeeper://user:secret@host,/leases",
                "zookeeper://user:secret@host/leases?timeout=1h",
                "zookeeper://user:secret@host/leases?secret=1",
                "zookeeper://user:secret@host,user2:secret2@host2/leases",
                "zookeeper://user:secret@host/leases?password-file=/secret",
                "zookeeper://host/leases?password-file=/secret",
                "zookeeper://user@host/leases?password-file=secret",
                "zookeeper://user:secret@host/leases#x"
            })
    void malformedUrlIsRefusedWithoutItsPassword(String url) {
        assertThatThrownBy(() -> ZooKeeperUrl.parse(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("zookeeper://")
                .hasMessageNotContaining("secret");
    }

    @Test
    void addressNamesAllMembersAndNoPassword() {
        ClusterUrl address = ZooKeeperUrl.parse("zookeeper://user:p%40ss@a,b:1234/team/leases/");
        assertThat(address.password()).isEqualTo("p@ss");
        assertThat(address).hasToString("zookeeper://a:2181,b:1234/team/leases");
    }

    @Test
    void hostThatDoesNotExistIsNamed() {
        assertThatThrownBy(() -> Stores.open("zookeeper://no-such-host.invalid/leases?timeout=300ms"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("no host has the name no-such-host.invalid; nothing was sent");
    }

    @Test
    void serverThatIsNotThereIsNamed() throws Exception {
        String url = "zookeeper://127.0.0.1:" + LoopbackPort.free() + "/leases?timeout=300ms";
        assertThatThrownBy(() -> Stores.open(url))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("127.0.0.1");
    }

    @Test
    void useDoesNotCreateAStore() {
        String url = "zookeeper://" + place + "/nothing-" + UUID.randomUUID() + "/leases";
        assertThatThrownBy(() -> Stores.open(url))
                .isInstanceOf(StoreMissingException.class)
                .hasMessageContaining("store init")
                .hasMessageContaining(place);
        Stores.create(url).close();
        try (LeaseStore store = Stores.open(url)) {
            assertThat(store.atomicBecause()).isPresent();
        }
    }

    @Test
    void storeOfAUserIsClosedToOthers() {
        String path = "/own-" + UUID.randomUUID();
        Stores.create("zookeeper://app:s%3Acret@" + place + path).close();
        Stores.open("zookeeper://app:s%3Acret@" + place + path).close();
        for (String other : new String[] {"", "app:wrong@", "other:s%3Acret@"}) {
            assertThatThrownBy(() -> Stores.open("zookeeper://" + other + place + path))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("user and the password")
                    .hasMessageNotContaining("wrong");
        }
    }

    @Test
    void waiterIsWokenByARelease() throws Exception {
        LeaseName name = LeaseName.of("watched-" + UUID.randomUUID());
        Duration ttl = Duration.ofMinutes(10);
        try (LeaseStore store = Stores.create(SharedZooKeeper.server().url());
                LeaseStore other = Stores.create(SharedZooKeeper.server().url())) {
            Acquisition.Granted granted = (Acquisition.Granted)
                    other.acquire(name, AttemptId.of("attempt-" + UUID.randomUUID()), Holder.of("other"), ttl);
            try (Watch watch = store.watch(name).orElseThrow()) {
                Thread release = new Thread(() -> other.release(granted.grant(), Duration.ZERO));
                release.start();
                long began = System.nanoTime();
                Acquisition answer = acquire(store, name, ttl);
                while (answer instanceof Acquisition.Busy) {
                    watch.await(Duration.ofMinutes(5));
                    answer = acquire(store, name, ttl);
                }
                release.join();
                assertThat(answer).isInstanceOf(Acquisition.Granted.class);
                assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofMinutes(4));
            }
        }
    }

    private static Acquisition acquire(LeaseStore store, LeaseName name, Duration ttl) {
        return store.acquire(name, AttemptId.of("attempt-" + UUID.randomUUID()), Holder.of("waiter"), ttl);
    }
}
