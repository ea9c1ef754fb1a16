package dev.leasehold.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.leasehold.Stores;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreMissingException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What goes wrong with a bucket, old objects, and writers that are too late. */
@ExtendWith(SharedS3.class)
class S3StoreTest {
    private final String prefix = "t-" + UUID.randomUUID();
    private final S3Client client = SharedS3.client("leases/" + prefix);
    private final CasRegister register = new S3Register(client);

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void openCreatesNothingAndCreateMakesAStoreThatIsFoundAgain() {
        String url = SharedS3.url("leases/" + prefix);
        assertThatThrownBy(() -> Stores.open(url))
                .isInstanceOf(StoreMissingException.class)
                .hasMessageContainingAll("'leases'", prefix, "store init");
        assertThat(client.list(prefix, null, 10).entries()).isEmpty();
        try (LeaseStore made = Stores.create(url);
                LeaseStore found = Stores.open(url)) {
            assertThat(found.id()).isEqualTo(made.id());
        }
        assertThat(client.list(prefix + "/probe", null, 10).entries())
                .as("what the check of the service leaves behind")
                .isEmpty();
    }

    @Test
    void missingBucketIsNamed() {
        assertThatThrownBy(() -> Stores.open(SharedS3.url("no-such-bucket/x")))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContainingAll("no bucket 'no-such-bucket'", "nothing was changed");
    }

    @Test
    void wrongKeysAreRejectedAndNotShown() {
        for (Map<String, String> keys : List.of(
                Map.of("AWS_ACCESS_KEY_ID", "LOCALIDENTITY", "AWS_SECRET_ACCESS_KEY", "hunter2"),
                Map.of("AWS_ACCESS_KEY_ID", "somebody", "AWS_SECRET_ACCESS_KEY", "hunter2"))) {
            try (S3Client other = S3Client.connect(SharedS3.url("leases/" + prefix), keys)) {
                assertThatThrownBy(() -> new S3Register(other).read("key"))
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContainingAll("rejects the credentials", "AWS_SECRET_ACCESS_KEY")
                        .hasMessageNotContaining("hunter2");
            }
        }
    }

    @Test
    void unreachableServiceIsNamed() {
        Map<String, String> keys = Map.of("AWS_ACCESS_KEY_ID", "id", "AWS_SECRET_ACCESS_KEY", "secret");
        try (S3Client other = S3Client.connect("s3://leases?endpoint=http://127.0.0.1:1", keys)) {
            assertThatThrownBy(() -> new S3Register(other).read("key"))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContainingAll("S3 at http://127.0.0.1:1", "cannot be reached", "nothing was sent");
        }
    }

    /** Otherwise every lease would be granted to everybody. */
    @Test
    void serviceThatIgnoresTheConditionCannotHoldAStore() throws IOException {
        HttpServer careless = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        byte[] empty = "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>"
                .getBytes(StandardCharsets.UTF_8);
        careless.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, empty.length);
            exchange.getResponseBody().write(empty);
            exchange.close();
        });
        careless.start();
        try {
            String url = "s3://leases/x?endpoint=http://127.0.0.1:"
                    + careless.getAddress().getPort();
            assertThatThrownBy(() -> S3LeaseStore.create(url))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("If-None-Match", "No store was created");
        } finally {
            careless.stop(0);
        }
    }

    /** A laptop with a wrong clock, or one that slept: the signature goes by the time of the service. */
    @Test
    void wrongClockIsCorrectedByTheTimeOfTheService() {
        Map<String, String> keys =
                Map.of("AWS_ACCESS_KEY_ID", "LOCALIDENTITY", "AWS_SECRET_ACCESS_KEY", "local-credential");
        String url = SharedS3.url("leases/" + prefix);
        try (S3Client late = S3Client.connect(url, keys)) {
            late.signer().learn(Instant.now().minus(Duration.ofDays(400)));
            assertThat(new S3Register(late).compareAndSet("clock", CasRegister.ABSENT, "value"))
                    .isTrue();
        }
        assertThat(register.read("clock").value()).contains("value");
    }

    @Test
    void objectsThatWereReplacedLongAgoAreDeleted() throws IOException {
        S3Series series = series("busy");
        write("busy", 20);
        age(Duration.ofMinutes(9));
        write("busy", 12);
        assertThat(objects(series)).as("younger than a slow writer may be").isEqualTo(32);
        age(Duration.ofMinutes(11));
        write("busy", 16);
        // The last of the old ones stays: its successor is new.
        assertThat(objects(series)).isEqualTo(17);
        assertThat(register.read("busy").value()).contains("value 48");
    }

    @Test
    void removedKeyLeavesLittleBehindAndIsNotListed() throws IOException {
        S3Series series = series("gone");
        write("gone", 5);
        age(Duration.ofHours(1));
        assertThat(register.remove("gone", register.read("gone").version())).isTrue();
        assertThat(objects(series)).as("the last value and an empty object").isEqualTo(2);
        assertThat(register.keys("", "", 10)).isEmpty();
        assertThat(register.compareAndSet("gone", CasRegister.ABSENT, "back")).isTrue();
        assertThat(register.read("gone").version()).isEqualTo("7");
    }

    /** Nobody writes a forgotten name again, so no write of it would delete its last value. */
    @Test
    void lastValueOfARemovedKeyGoesWithALaterRemoval() throws IOException {
        write("gone", 3);
        assertThat(register.remove("gone", register.read("gone").version())).isTrue();
        write("other", 1);
        write("third", 2);
        age(Duration.ofMinutes(9));
        assertThat(register.keys("", "", 10)).containsExactly("other", "third");
        assertThat(register.remove("other", register.read("other").version())).isTrue();
        assertThat(objects(series("gone")))
                .as("younger than a slow writer may be")
                .isEqualTo(4);
        age(Duration.ofMinutes(2));
        assertThat(register.keys("", "", 10)).containsExactly("third");
        assertThat(objects(series("gone"))).as("a list changes nothing").isEqualTo(4);
        assertThat(register.remove("third", register.read("third").version())).isTrue();
        assertThat(objects(series("gone"))).as("the empty object").isEqualTo(1);
        assertThat(register.compareAndSet("gone", CasRegister.ABSENT, "back")).isTrue();
        assertThat(register.read("gone").version())
                .as("no version is used twice")
                .isEqualTo("5");
    }

    /** A fence may need an older object: its newest one can refer to the content of that one. */
    @Test
    void objectsOfAFenceUnderTheSamePrefixStay() throws IOException {
        write("key", 1);
        S3Fence fence = S3Fence.at(client, "report");
        Grant first = new Grant(
                LeaseName.of("job"), FencingToken.of(1), AttemptId.of("attempt-1"), StoreId.of("store-of-the-test"));
        fence.admit(first, new byte[] {1});
        fence.raise(new Grant(first.name(), FencingToken.of(2), AttemptId.of("attempt-2"), first.store()));
        age(Duration.ofHours(1));
        assertThat(register.keys("", "", 10)).containsExactly("key");
        assertThat(register.remove("key", register.read("key").version())).isTrue();
        assertThat(fence.read()).contains(new byte[] {1});
    }

    /** It fills the gap that a deleted object left, and must not believe that it has won. */
    @Test
    void writerThatIsTooLateDoesNotWin() throws IOException {
        write("late", 1);
        S3Series series = series("late");
        S3Series.Top seen = series.top();
        write("late", 15);
        age(Duration.ofHours(1));
        write("late", 16);
        S3Series.Top asSeenThen =
                new S3Series.Top(seen.number(), seen.size(), seen.at().minus(Duration.ofHours(1)));
        assertThatThrownBy(() -> series.append(asSeenThen, new byte[] {1}, Map.of()))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("so late");
        assertThat(register.read("late").value()).contains("value 32");
        S3Series.Top top = series.top();
        S3Series.Top old = new S3Series.Top(top.number(), 1, top.at().minus(Duration.ofHours(1)));
        assertThat(series.append(old, new byte[] {1}, Map.of()))
                .as("late, but nobody was faster")
                .isTrue();
    }

    @Test
    void objectsOfOthersUnderTheSamePrefixAreIgnored() {
        write("mine", 2);
        String root = prefix + "/" + S3Register.FORMAT;
        client.create(root + "mine-note", new byte[] {1}, Map.of());
        client.create(root + S3Names.encode("mine") + "-9223372036854775805-upload", new byte[] {1}, Map.of());
        client.create(root + "other thing", new byte[] {1}, Map.of());
        client.create(prefix + "/-9223372036854775805", new byte[] {1}, Map.of());
        assertThat(register.keys("", "", 10)).containsExactly("mine");
        assertThat(register.read("mine").value()).contains("value 2");
    }

    private void write(String key, int times) {
        for (int i = 0; i < times; i++) {
            CasRegister.Reading before = register.read(key);
            int number =
                    before.value().map(v -> Integer.parseInt(v.substring(6))).orElse(0) + 1;
            assertThat(register.compareAndSet(key, before.version(), "value " + number))
                    .isTrue();
        }
    }

    private S3Series series(String key) {
        return new S3Series(client, prefix + "/" + S3Register.FORMAT + key + S3Names.END);
    }

    private int objects(S3Series series) {
        return client.list(series.prefix(), null, 1000).entries().size();
    }

    /** Makes all objects older, on the disk of the server. */
    private void age(Duration by) throws IOException {
        Path bucket = SharedS3.bucketDirectory().resolve(prefix);
        try (Stream<Path> files = Files.walk(bucket)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                FileTime time = Files.getLastModifiedTime(file);
                Files.setLastModifiedTime(file, FileTime.from(time.toInstant().minus(by)));
            }
        }
    }
}
