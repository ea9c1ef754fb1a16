package dev.leasehold.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Stores;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreMissingException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.testkit.environment.Requires;
import dev.leasehold.testkit.servers.NatsServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Users who have the permissions that docs/stores.md lists, and users who lack one of them. */
@Requires("nats-server")
class NatsPermissionsTest {
    private static final Duration TTL = Duration.ofMinutes(1);

    /** As in docs/stores.md, for the bucket of the test. */
    private static final List<String> TO_USE = List.of(
            "$KV.leases.>",
            "$JS.API.STREAM.MSG.GET.KV_leases",
            "$JS.API.STREAM.INFO.KV_leases",
            "$JS.API.STREAM.PURGE.KV_leases");

    private static final String TO_CREATE = "$JS.API.STREAM.CREATE.KV_leases";
    private static final String ANSWERS = "_INBOX.>";

    @TempDir
    static Path directory;

    private static NatsServer server;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        StringJoiner users = new StringJoiner("\n", "authorization { users: [\n", "\n] }\n");
        List<String> all = new ArrayList<>(TO_USE);
        all.add(TO_CREATE);
        users.add(user("creator", all, ANSWERS));
        users.add(user("worker", TO_USE, ANSWERS));
        users.add(user(
                "early",
                TO_USE.stream().map(right -> right.replace("leases", "others")).toList(),
                ANSWERS));
        users.add(user("deaf", all, "elsewhere"));
        for (int missing = 0; missing < TO_USE.size(); missing++) {
            List<String> others = new ArrayList<>(TO_USE);
            others.remove(missing);
            users.add(user("without" + missing, others, ANSWERS));
        }
        Path settings = Files.writeString(directory.resolve("nats.conf"), users.toString());
        server = NatsServer.start("-c", settings.toString());
        Stores.create(url("creator", "20s")).close();
    }

    private static String user(String name, List<String> publish, String subscribe) {
        return "{user: %s, password: secret, permissions: {publish: [\"%s\"], subscribe: [\"%s\"]}}"
                .formatted(name, String.join("\", \"", publish), subscribe);
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    @Test
    void documentedPermissionsAreEnoughForEverything() {
        try (LeaseStore store = Stores.open(url("worker", "20s"))) {
            LeaseName name = LeaseName.of("job-" + UUID.randomUUID());
            Grant grant = acquire(store, name);
            assertThat(store.renew(List.of(new RenewRequest(grant, TTL))))
                    .singleElement()
                    .isInstanceOf(Renewal.Renewed.class);
            assertThat(store.list(name.value(), "", 10)).hasSize(1);
            assertThat(store.history(name, 10)).hasSize(1);
            assertThat(store.release(grant, Duration.ZERO)).isInstanceOf(Release.Released.class);
            assertThat(store.warnings()).isEmpty();
            useRegister(store.register());
        }
    }

    private static void useRegister(CasRegister register) {
        String key = "key-" + UUID.randomUUID();
        assertThat(register.compareAndSet(key, CasRegister.ABSENT, "value")).isTrue();
        assertThat(register.values(key, "", 10)).containsEntry(key, "value");
        assertThat(register.remove(key, register.read(key).version())).isTrue();
        assertThat(register.keys(key, "", 10)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0, $KV.leases.", "1, STREAM.MSG.GET.KV_leases", "2, STREAM.INFO.KV_leases", "3, STREAM.PURGE.KV_leases"
    })
    void missingPermissionIsNamed(int missing, String subject) {
        assertThatThrownBy(() -> {
                    try (LeaseStore store = Stores.open(url("without" + missing, "1s"))) {
                        acquire(store, LeaseName.of("job-" + UUID.randomUUID()));
                        useRegister(store.register());
                    }
                })
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContainingAll("does not give this user the right", subject, "docs/stores.md")
                .hasMessageNotContaining("secret");
    }

    @Test
    void onlyACreatorMayCreate() {
        String url = url("early", "1s").replace("/leases", "/others");
        assertThatThrownBy(() -> Stores.create(url))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContainingAll("does not give this user the right", "STREAM.CREATE.KV_others");
        assertThatThrownBy(() -> Stores.open(url))
                .isInstanceOf(StoreMissingException.class)
                .hasMessageContaining("store init");
    }

    @Test
    void userWhoMayNotHearAnswersIsTold() {
        assertThatThrownBy(() -> Stores.open(url("deaf", "1s")))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContainingAll("does not give this user the right", "_INBOX.", "docs/stores.md");
    }

    @Test
    void wrongPasswordIsToldFromAServerThatIsAway() {
        for (String user : List.of("worker:wrong@", "nobody:wrong@", "")) {
            String url = url("worker", "1s").replace("worker:secret@", user);
            assertThatThrownBy(() -> Stores.open(url))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("rejects this user or password")
                    .hasMessageNotContaining("wrong");
        }
    }

    private static Grant acquire(LeaseStore store, LeaseName name) {
        AttemptId attempt = AttemptId.of(UUID.randomUUID().toString());
        return ((Acquisition.Granted) store.acquire(name, attempt, Holder.of("h"), TTL)).grant();
    }

    private static String url(String user, String timeout) {
        return "nats://" + user + ":secret@127.0.0.1:" + server.port() + "/leases?timeout=" + timeout;
    }
}
