package dev.leasehold.durableobjects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Stores;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreMissingException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.environment.InstalledProgram;
import dev.leasehold.testkit.environment.Requires;
import dev.leasehold.testkit.servers.WorkerdServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** URLs, keys, and Workers that are not there or not ours. */
@Requires(InstalledProgram.WORKERD)
@ExtendWith(SharedWorkerd.class)
class DurableObjectsStoreTest {
    private final String store = "s-" + UUID.randomUUID();

    @Test
    void openCreatesNothingAndStoresOfOneWorkerAreApart() {
        assertThatThrownBy(() -> Stores.open(SharedWorkerd.url(store)))
                .isInstanceOf(StoreMissingException.class)
                .hasMessageContainingAll(store, "store init");
        try (LeaseStore made = Stores.create(SharedWorkerd.url(store));
                LeaseStore found = Stores.open(SharedWorkerd.url(store));
                LeaseStore other = Stores.create(SharedWorkerd.url(store + "-2"))) {
            assertThat(found.id()).isEqualTo(made.id()).isNotEqualTo(other.id());
        }
    }

    /** A client may be newer than the Worker that somebody deployed once. */
    @Test
    void workerWhoseListsHaveNoValuesCanStillBeUsed() throws Exception {
        String condition = "(values ? { values:";
        String text = WorkerdServer.module("worker.js");
        assertThat(text).contains(condition);
        String older = text.replace(condition, "(false ? { values:");
        try (WorkerdServer server = WorkerdServer.start("STORES", "LeaseholdStore", Map.of("worker.js", older))) {
            String url = "durable-objects://127.0.0.1:" + server.port() + "/" + store + "?timeout=20s";
            try (LeaseStore leases = Stores.create(url)) {
                for (int i = 0; i < 3; i++) {
                    AttemptId attempt = AttemptId.of("attempt-" + i);
                    leases.acquire(LeaseName.of("job-" + i), attempt, Holder.of("h"), Duration.ofMinutes(10));
                }
                assertThat(leases.list("job-", "job-0", 10))
                        .extracting(lease -> lease.lease().owner().attempt().value())
                        .containsExactly("attempt-1", "attempt-2");
            }
        }
    }

    @Test
    void leasesSurviveACrashOfTheServer() throws Exception {
        try (WorkerdServer server = WorkerdServer.start()) {
            String url = "durable-objects://127.0.0.1:" + server.port() + "/" + store + "?timeout=20s";
            try (LeaseStore leases = Stores.create(url)) {
                LeaseName name = LeaseName.of("job");
                leases.acquire(name, AttemptId.of("attempt-1"), Holder.of("h"), Duration.ofMinutes(10));
                server.kill();
                server.startAgain();
                assertThat(leases.inspect(name).orElseThrow().lease().token().value())
                        .isEqualTo(1);
            }
        }
    }

    @Test
    void wrongKeyIsRejectedAndNotShown(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("key"), "hunter2\n");
        assertThatThrownBy(() -> Stores.open(SharedWorkerd.url(store) + "&auth-file=" + file))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContainingAll("rejects the key", "nothing was changed", "wrangler secret")
                .hasMessageNotContaining("hunter2");
        assertThatThrownBy(() -> DurableObjectsClient.connect(SharedWorkerd.url(store), Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("LEASEHOLD_DURABLE_OBJECTS_KEY");
    }

    @Test
    void unreachableWorkerIsNamed() {
        assertThatThrownBy(() -> Stores.open("durable-objects://127.0.0.1:1/x"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContainingAll("http://127.0.0.1:1", "cannot be reached", "nothing was sent");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "durable-objects:host/x",
                "durable-objects://host",
                "durable-objects:///x",
                "durable-objects://host/x/y",
                "durable-objects://host/x?key=hunter2",
                "durable-objects://user:hunter2@host/x",
                "durable-objects://host/x?timeout=1h"
            })
    void mistakesGetTheCorrectFormAndNoSecret(String url) {
        assertThatThrownBy(() -> DurableObjectsAddress.parse(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Write durable-objects://")
                .hasMessageNotContaining("hunter2");
    }

    /** Without TLS, everybody on the way could read the key. */
    @Test
    void otherHostsAreAskedByTlsOnly() {
        assertThat(DurableObjectsAddress.parse("durable-objects://leases.example.org/x")
                        .server()
                        .getScheme())
                .isEqualTo("https");
    }
}
