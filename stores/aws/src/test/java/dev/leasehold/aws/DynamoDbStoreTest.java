package dev.leasehold.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.leasehold.Stores;
import dev.leasehold.internal.http.HttpService.Repeat;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreMissingException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.testkit.servers.DynamoDbServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables that are missing or not ours, and the number of calls. */
@ExtendWith(SharedDynamoDb.class)
class DynamoDbStoreTest {
    private final String table = "t-" + UUID.randomUUID();

    @Test
    void openCreatesNoTableAndNoStore() {
        // As a missing store, so that 'store init' goes on to create it.
        assertThatThrownBy(() -> Stores.open(SharedDynamoDb.url(table)))
                .isInstanceOf(StoreMissingException.class)
                .hasMessageContainingAll("no table '" + table + "'", "store init");
        try (LeaseStore made = Stores.create(SharedDynamoDb.url(table));
                LeaseStore found = Stores.open(SharedDynamoDb.url(table))) {
            assertThat(found.id()).isEqualTo(made.id());
        }
        assertThatThrownBy(() -> Stores.open(SharedDynamoDb.url(table + "/other")))
                .isInstanceOf(StoreMissingException.class)
                .hasMessageContainingAll(table, "other", "store init");
    }

    @Test
    void anotherTableIsRefused() {
        try (DynamoDbClient client = DynamoDbClient.connect(SharedDynamoDb.url(table))) {
            client.succeed(
                    "CreateTable",
                    Map.of(
                            "BillingMode",
                            "PAY_PER_REQUEST",
                            "AttributeDefinitions",
                            List.of(Map.of("AttributeName", "id", "AttributeType", "S")),
                            "KeySchema",
                            List.of(Map.of("AttributeName", "id", "KeyType", "HASH"))),
                    Repeat.NEVER);
        }
        assertThatThrownBy(() -> Stores.create(SharedDynamoDb.url(table)))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContainingAll("another table", "Nothing was changed");
    }

    /** DynamoDB Local accepts all credentials, so these are the answers of the hosted service, from its documentation. */
    @ParameterizedTest
    @CsvSource({
        "UnrecognizedClientException, rejects the credentials",
        "AccessDeniedException, dynamodb:GetItem",
        "ExpiredTokenException, Sign in again",
        "ThrottlingException, slow down"
    })
    void refusalsAreExplainedWithoutSecrets(String type, String expected) throws IOException {
        HttpServer refusing = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        byte[] answer = ("{\"__type\":\"com.amazon.coral.service#" + type + "\",\"message\":\"no\"}")
                .getBytes(StandardCharsets.UTF_8);
        refusing.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(400, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        refusing.start();
        Map<String, String> keys = Map.of("AWS_ACCESS_KEY_ID", "id", "AWS_SECRET_ACCESS_KEY", "hunter2");
        String url = DynamoDbServer.url(refusing.getAddress().getPort(), table);
        try (DynamoDbClient client = DynamoDbClient.connect(url, keys)) {
            assertThatThrownBy(client::isActive)
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContainingAll(expected, "nothing was changed")
                    .hasMessageNotContaining("hunter2");
        } finally {
            refusing.stop(0);
        }
    }

    @Test
    void unreachableServiceIsNamed() {
        assertThatThrownBy(() -> Stores.open("dynamodb://leases?endpoint=http://127.0.0.1:1"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContainingAll("DynamoDB at http://127.0.0.1:1", "cannot be reached", "nothing was sent");
    }

    /** A step on a record that this process knows is one conditional write, without a read. */
    @Test
    void stepOnAKnownRecordIsOneCall() throws Exception {
        try (LeaseStore made = Stores.create(SharedDynamoDb.url(table));
                CountingProxy proxy = new CountingProxy(SharedDynamoDb.port());
                LeaseStore store = Stores.open(DynamoDbServer.url(proxy.port(), table))) {
            LeaseName name = LeaseName.of("job");
            Acquisition.Granted first = acquire(store, name);
            long before = proxy.requests();
            store.renew(List.of(new RenewRequest(first.grant(), Duration.ofMinutes(10))));
            assertThat(proxy.requests() - before).as("calls of a renewal").isEqualTo(1);
            store.release(first.grant(), Duration.ZERO);
            assertThat(proxy.requests() - before).as("and of a release").isEqualTo(2);
            acquire(store, name);
            assertThat(proxy.requests() - before).as("and of the next acquire").isEqualTo(3);
        }
    }

    /**
     * DynamoDB reads one megabyte for each call, so what a list reads beside its own records would take further calls. One of two
     * calls asks whether the store was moved.
     */
    @Test
    void listReadsOnlyTheRecordsOfItsPrefix() throws Exception {
        try (LeaseStore made = Stores.create(SharedDynamoDb.url(table));
                CountingProxy proxy = new CountingProxy(SharedDynamoDb.port());
                LeaseStore store = Stores.open(DynamoDbServer.url(proxy.port(), table))) {
            String large = "x".repeat(CasRegister.MAX_VALUE_BYTES);
            for (int i = 0; i < 15; i++) {
                write(made, "b/" + (10 + i), large);
                write(made, "y/" + (10 + i), large);
            }
            write(made, "m/1", "small");
            write(made, "m/2", "small");
            assertThat(callsOf(proxy, () -> store.register().keys("m/", "", 100)))
                    .as("calls for keys")
                    .isEqualTo(2);
            assertThat(callsOf(proxy, () -> store.register().values("m/", "", 100)))
                    .as("calls for readings")
                    .isEqualTo(2);
            assertThat(callsOf(proxy, () -> store.register().keys("", "", 100)))
                    .as("calls for keys of all")
                    .isGreaterThanOrEqualTo(4);
        }
    }

    private static void write(LeaseStore store, String key, String value) {
        assertThat(store.register().compareAndSet(key, CasRegister.ABSENT, value))
                .isTrue();
    }

    private static long callsOf(CountingProxy proxy, Runnable work) {
        long before = proxy.requests();
        work.run();
        return proxy.requests() - before;
    }

    private static Acquisition.Granted acquire(LeaseStore store, LeaseName name) {
        return (Acquisition.Granted) store.acquire(
                name,
                AttemptId.of("attempt-" + UUID.randomUUID().toString().substring(0, 8)),
                Holder.of("h"),
                Duration.ofMinutes(10));
    }
}
