package dev.leasehold.nats;

import dev.leasehold.internal.ClusterUrl;
import dev.leasehold.internal.ListedNames;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.ClocklessRegister;
import dev.leasehold.spi.ConnectedRegister;
import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.PublishOptions;
import io.nats.client.PurgeOptions;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.MessageInfo;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfoOptions;
import io.nats.client.api.Subject;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A register in a key-value bucket. The version of a key is its revision, which counts all changes of the bucket. */
final class NatsRegister implements ClocklessRegister, ConnectedRegister {
    private static final Clock CLOCK = Clock.systemUTC();

    /** Codes of JetStream. */
    private static final int WRONG_LAST_SEQUENCE = 10071;

    private static final int STREAM_NOT_FOUND = 10059;
    private static final int NO_MESSAGE_FOUND = 10037;

    /** The header by which a bucket marks keys that were removed. */
    private static final String OPERATION = "KV-Operation";

    private final ClusterUrl address;
    private final Connection connection;
    private final JetStream stream;
    private final JetStreamManagement management;
    private final DeniedRights rights;
    private final NatsReads reads;
    private final ListedNames names = new ListedNames(new Names(), System::nanoTime);

    private NatsRegister(ClusterUrl address, Connection connection, DeniedRights rights) throws IOException {
        this.address = address;
        this.connection = connection;
        this.rights = rights;
        this.stream = connection.jetStream(NatsConnections.streamOptions(address));
        this.management = connection.jetStreamManagement(NatsConnections.streamOptions(address));
        this.reads = new NatsReads(connection, address, streamName());
    }

    static NatsRegister connect(String url) {
        ClusterUrl address = NatsUrl.parse(url);
        LastFailure failures = new LastFailure();
        Connection connection = NatsConnections.open(address, failures);
        try {
            return new NatsRegister(address, connection, failures.rights());
        } catch (IOException e) {
            NatsConnections.close(connection);
            throw new StoreUnavailableException("NATS at " + address + " did not answer: " + e.getMessage(), e);
        }
    }

    /** A call that may fail because of the server or the connection. */
    private interface Call<T> {
        T get() throws IOException, JetStreamApiException, InterruptedException;
    }

    private <T> T call(Call<T> call) {
        return answered(() -> Optional.of(call.get())).orElseThrow();
    }

    /** Empty if another client was faster, and nothing changed. */
    private <T> Optional<T> answered(Call<Optional<T>> call) {
        DeniedRights.Denial before = rights.last();
        try {
            return NatsConnections.uninterrupted(call::get);
        } catch (JetStreamApiException e) {
            if (e.getApiErrorCode() == WRONG_LAST_SEQUENCE) {
                return Optional.empty();
            }
            throw new StoreUnavailableException(
                    "NATS at " + address + " refused the call: " + e.getErrorDescription(), e);
        } catch (IOException | IllegalStateException e) {
            // Also a connection that is closed, or has no room for another request.
            String denied = rights.explain(before);
            throw new StoreUnavailableException(
                    "NATS at " + address + " " + (denied == null ? "did not answer: " + e.getMessage() : denied), e);
        }
    }

    /** Creates the bucket if it is missing. Reads are answered by the leader of its stream, not by replicas that lag. */
    void createBucket() {
        if (!exists()) {
            StreamConfiguration configuration = StreamConfiguration.builder()
                    .name(streamName())
                    .subjects(root() + ">")
                    .maxMessagesPerSubject(1)
                    .storageType(StorageType.File)
                    .discardPolicy(DiscardPolicy.New)
                    .allowRollup(true)
                    .denyDelete(true)
                    .allowDirect(false)
                    .build();
            call(() -> management.addStream(configuration));
        }
    }

    private boolean exists() {
        return answered(() -> orIfMissing(() -> management.getStreamInfo(streamName())))
                .isPresent();
    }

    /** Empty if the bucket or the key does not exist. */
    private static <T> Optional<T> orIfMissing(Call<T> call)
            throws IOException, JetStreamApiException, InterruptedException {
        try {
            return Optional.of(call.get());
        } catch (JetStreamApiException e) {
            if (e.getApiErrorCode() == STREAM_NOT_FOUND || e.getApiErrorCode() == NO_MESSAGE_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public Reading read(String key) {
        CasRegister.requireStoredKey(key);
        return last(key)
                .filter(message -> !isMark(message))
                .map(NatsRegister::reading)
                .orElseGet(() -> Reading.absent(CLOCK.instant()));
    }

    private static Reading reading(MessageInfo message) {
        return new Reading(Optional.of(text(message.getData())), Long.toString(message.getSeq()), CLOCK.instant());
    }

    /** Whether an answer has a message; false if the bucket or the key does not exist. */
    static boolean isThere(MessageInfo answer) throws IOException, JetStreamApiException, InterruptedException {
        return orIfMissing(answer::throwOnHasError).isPresent();
    }

    private Optional<MessageInfo> last(String key) {
        return answered(() -> orIfMissing(() -> management.getLastMessage(streamName(), subject(key))));
    }

    /** Whether the message says that the key was removed. */
    private static boolean isMark(MessageInfo message) {
        Headers headers = message.getHeaders();
        return headers != null && headers.containsKey(OPERATION);
    }

    private static String text(byte @Nullable [] value) {
        return value == null ? "" : new String(value, StandardCharsets.UTF_8);
    }

    @Override
    public Optional<String> replace(String key, String expected, String value) {
        CasRegister.requireStoredKey(key);
        CasRegister.requireValue(value);
        NatsMessage message = NatsMessage.builder()
                .subject(subject(key))
                .data(value.getBytes(StandardCharsets.UTF_8))
                .build();
        if (!expected.equals(ABSENT)) {
            long revision = revision(expected);
            return revision < 0 ? Optional.empty() : publish(message, revision).map(String::valueOf);
        }
        return publish(message, 0)
                .or(() -> last(key).filter(NatsRegister::isMark).flatMap(mark -> publish(message, mark.getSeq())))
                .map(String::valueOf);
    }

    /**
     * Stores the message if the key has this revision, and returns the new one.
     *
     * @param revision zero for a key that does not exist
     */
    private Optional<Long> publish(NatsMessage message, long revision) {
        PublishOptions ifUnchanged =
                PublishOptions.builder().expectedLastSubjectSequence(revision).build();
        return answered(() -> Optional.of(stream.publish(message, ifUnchanged).getSeqno()));
    }

    /** Leaves a mark that the key was removed, and removes that too, unless the key was created again. */
    @Override
    public boolean remove(String key, String expected) {
        CasRegister.requireStoredKey(key);
        long revision = revision(expected);
        if (revision < 0) {
            return false;
        }
        NatsMessage mark = NatsMessage.builder()
                .subject(subject(key))
                .headers(new Headers().put(OPERATION, "PURGE").put("Nats-Rollup", "sub"))
                .build();
        Optional<Long> marked = publish(mark, revision);
        marked.ifPresent(sequence -> call(() -> management.purgeStream(
                streamName(),
                PurgeOptions.builder()
                        .subject(subject(key))
                        .sequence(sequence + 1)
                        .build())));
        return marked.isPresent();
    }

    /** Negative if no key can have this version. */
    private static long revision(String version) {
        try {
            long revision = Long.parseLong(version);
            return revision > 0 ? revision : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    @Override
    public List<String> keys(String prefix, String after, int limit) {
        return names.page(prefix, after, limit);
    }

    /** NATS lists all subjects of the bucket at once. */
    private final class Names implements ListedNames.Source {
        @Override
        public Object version() {
            return call(() -> management.getStreamInfo(streamName()))
                    .getStreamState()
                    .getLastSequence();
        }

        @Override
        public List<String> names() {
            String root = root();
            List<String> found = new ArrayList<>();
            for (Subject subject : call(() ->
                            management.getStreamInfo(streamName(), StreamInfoOptions.filterSubjects(root + ">")))
                    .getStreamState()
                    .getSubjects()) {
                found.add(BucketKey.decode(subject.getName().substring(root.length())));
            }
            return found;
        }
    }

    @Override
    public Map<String, Reading> readingsOf(List<String> keys) {
        Map<String, Reading> readings = new LinkedHashMap<>();
        call(() -> reads.last(keys, this::subject)).forEach((key, message) -> {
            if (!isMark(message)) {
                readings.put(key, reading(message));
            }
        });
        return readings;
    }

    @Override
    public Optional<String> atomicBecause() {
        return Optional.of("the leader of the bucket's stream accepts a message only after the revision that it names");
    }

    @Override
    public List<String> warnings() {
        return BucketWarnings.of(
                call(() -> management.getStreamInfo(streamName())).getConfiguration());
    }

    private String streamName() {
        return "KV_" + address.path();
    }

    private String root() {
        return "$KV." + address.path() + ".";
    }

    private String subject(String key) {
        return root() + BucketKey.encode(key);
    }

    @Override
    public void close() {
        NatsConnections.close(connection);
    }

    /** The place, without credentials. */
    @Override
    public String toString() {
        return address.toString();
    }
}
