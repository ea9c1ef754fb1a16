package dev.leasehold.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Stores;
import dev.leasehold.internal.ClusterUrl;
import dev.leasehold.model.StoreMissingException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.environment.Requires;
import dev.leasehold.testkit.servers.EtcdServer;
import dev.leasehold.testkit.servers.LoopbackPort;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** URLs, users and messages. */
class EtcdStoreTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "etcd://",
                "etcd:///leases",
                "etcd://host",
                "etcd://host/",
                "etcd://host:0x1/leases",
                "etcd://host:99999/leases",
                "etcd://host:/leases",
                "etcd://user:secret@a:1,b:/leases",
                "etcd://[::1]:/leases",
                "etcd://secret@host/leases",
                "etcd://user:secret@host/le ases",
                "etcd://user:sec%ret@host/leases",
                "etcd://user:secret@host,/leases",
                "etcd://user:secret@host/leases?timeout=1h",
                "etcd://user:secret@host/leases?secret=1",
                "etcd://user:secret@host,user2:secret2@host2/leases",
                "etcd://user:secret@host/leases?password-file=/secret",
                "etcd://host/leases?password-file=/secret",
                "etcd://user@host/leases?password-file=secret",
                "etcd://user:secret@host/leases#x",
                "etcd:host/leases"
            })
    void malformedUrlIsRefusedWithoutItsPassword(String url) {
        assertThatThrownBy(() -> EtcdClient.connect(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("etcd://")
                .hasMessageNotContaining("secret");
    }

    @Test
    void addressNamesAllMembersAndNoPassword() {
        ClusterUrl address = EtcdUrl.parse("etcds://user:p%40ss+@a,b:1234,[::1]:5/team/leases/?timeout=500ms");
        assertThat(address.password()).isEqualTo("p@ss+");
        assertThat(address).hasToString("etcds://a:2379,b:1234,[::1]:5/team/leases");
    }

    @Test
    void hostThatDoesNotExistIsNamed() {
        assertThatThrownBy(() -> Stores.open("etcd://no-such-host.invalid/leases?timeout=300ms"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("no host has the name no-such-host.invalid; nothing was sent");
    }

    @Test
    void serverThatIsNotThereIsNamed() throws Exception {
        String url = "etcd://127.0.0.1:" + LoopbackPort.free() + "/leases?timeout=20s";
        assertThatThrownBy(() -> new EtcdStoreProvider().open(url))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("is not reachable");
    }

    @Requires("etcd")
    @ExtendWith(SharedEtcd.class)
    @Nested
    class WithServer {
        private final String place = "127.0.0.1:" + SharedEtcd.server().port();

        @Test
        void useDoesNotCreateAStore() {
            String url = "etcd://" + place + "/nothing-" + UUID.randomUUID();
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
        void anotherMemberIsAskedIfOneIsNotThere() throws Exception {
            String url = "etcd://127.0.0.1:" + LoopbackPort.free() + "," + place + "/leases?timeout=20s";
            try (LeaseStore store = Stores.create(url)) {
                CasRegister register = store.register();
                String key = "k-" + UUID.randomUUID();
                assertThat(register.compareAndSet(key, CasRegister.ABSENT, "v")).isTrue();
                assertThat(register.keys(key, "", 10)).containsExactly(key);
            }
        }

        @Test
        void prefixesDoNotMix() {
            String prefix = "p-" + UUID.randomUUID();
            try (LeaseStore one = Stores.create("etcd://" + place + "/" + prefix);
                    LeaseStore two = Stores.create("etcd://" + place + "/" + prefix + "2")) {
                assertThat(one.id()).isNotEqualTo(two.id());
                two.register().compareAndSet("key", CasRegister.ABSENT, "value");
                assertThat(one.register().keys("", "", 10)).isEmpty();
            }
        }

        /** The answer of etcd has the number of keys in the range, also of those that a limit left out. */
        @Test
        void listAsksForTheRangeOfItsPrefix() {
            String root = "r-" + UUID.randomUUID();
            try (LeaseStore store = Stores.create("etcd://" + place + "/" + root);
                    EtcdClient client = EtcdClient.connect("etcd://" + place + "/" + root)) {
                for (int i = 0; i < 10; i++) {
                    for (String start : List.of("l", "m/", "n")) {
                        assertThat(store.register().compareAndSet(start + i, CasRegister.ABSENT, "value"))
                                .isTrue();
                    }
                }
                assertThat(store.register().keys("m/", "", 100)).hasSize(10);
                for (boolean keysOnly : new boolean[] {true, false}) {
                    assertThat(client.call(
                                    "kv/range",
                                    EtcdMessages.page(root + "/", "m/", "", 2, keysOnly),
                                    EtcdClient.Repeat.SAFE))
                            .containsEntry("count", "10");
                    assertThat(client.call(
                                    "kv/range",
                                    EtcdMessages.page(root + "/", "m/", "m/6", 2, keysOnly),
                                    EtcdClient.Repeat.SAFE))
                            .containsEntry("count", "3");
                }
            }
        }

        /** The keys of the inner store would be records of the outer one. */
        @Test
        void aStoreBelowOrAboveAnotherOneIsNotCreated() {
            String prefix = "etcd://" + place + "/n-" + UUID.randomUUID();
            Stores.create(prefix + "/a/b").close();
            for (String wrong : List.of(prefix + "/a/b/c/d", prefix + "/a", prefix)) {
                assertThatThrownBy(() -> Stores.create(wrong))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("a/b, and the keys of one")
                        .hasMessageContaining("Nothing was created")
                        .hasMessageContaining("neither above nor below");
                assertThatThrownBy(() -> Stores.open(wrong)).isInstanceOf(StoreMissingException.class);
            }
            Stores.create(prefix + "/a/c").close();
            Stores.create(prefix + "/a/b").close();
        }
    }

    @Test
    @Requires("etcd")
    void usersNeedOnlyTheirPrefix() throws Exception {
        try (EtcdServer server = EtcdServer.start()) {
            String place = "127.0.0.1:" + server.port();
            enableUsers(place);
            try (LeaseStore store = Stores.create("etcd://app:s%3Acret@" + place + "/team/leases")) {
                assertThat(store.list("", "", 10)).isEmpty();
            }
            for (String wrong :
                    List.of("etcd://app:wrong@" + place + "/team/leases", "etcd://" + place + "/team/leases")) {
                assertThatThrownBy(() -> Stores.open(wrong))
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining("refused")
                        .hasMessageNotContaining("wrong");
            }
            assertThatThrownBy(() -> Stores.open("etcd://app:s%3Acret@" + place + "/others"))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("permission");
        }
    }

    /** One user, who may read and write the keys of one store. */
    private static void enableUsers(String place) {
        try (EtcdClient root = EtcdClient.connect("etcd://" + place + "/any")) {
            administer(root, "auth/user/add", Map.of("name", "root", "password", "secret"));
            administer(root, "auth/role/add", Map.of("name", "root"));
            administer(root, "auth/user/grant", Map.of("user", "root", "role", "root"));
            administer(root, "auth/user/add", Map.of("name", "app", "password", "s:cret"));
            administer(root, "auth/role/add", Map.of("name", "leases"));
            Map<String, Object> range = EtcdMessages.page("", "team/leases/", "", 1, true);
            administer(
                    root,
                    "auth/role/grant",
                    Map.of(
                            "name",
                            "leases",
                            "perm",
                            Map.of(
                                    "permType", "READWRITE",
                                    "key", range.get("key"),
                                    "range_end", range.get("range_end"))));
            administer(root, "auth/user/grant", Map.of("user", "app", "role", "leases"));
            administer(root, "auth/enable", Map.of());
        }
    }

    private static void administer(EtcdClient root, String method, Map<String, Object> message) {
        root.call(method, message, EtcdClient.Repeat.NEVER);
    }
}
