package dev.leasehold.nats;

import dev.leasehold.internal.ClusterUrl;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.Message;
import io.nats.client.api.MessageGetRequest;
import io.nats.client.api.MessageInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;

/** Reads the latest messages of many subjects. The requests are on the way together, and the leader answers each of them. */
final class NatsReads {
    /** How many requests are on the way at the same time. A value may be large. */
    private static final int AT_A_TIME = 250;

    private static final String GET = "$JS.API.STREAM.MSG.GET.";

    private final Connection connection;
    private final ClusterUrl address;
    private final String stream;

    NatsReads(Connection connection, ClusterUrl address, String stream) {
        this.connection = connection;
        this.address = address;
        this.stream = stream;
    }

    /** The messages by key, in the order of the keys; a key that has none is left out. */
    Map<String, MessageInfo> last(List<String> keys, UnaryOperator<String> subject)
            throws IOException, JetStreamApiException, InterruptedException {
        Map<String, MessageInfo> found = new LinkedHashMap<>();
        for (int from = 0; from < keys.size(); from += AT_A_TIME) {
            List<String> some = keys.subList(from, Math.min(from + AT_A_TIME, keys.size()));
            List<CompletableFuture<Message>> answers = new ArrayList<>(some.size());
            for (String key : some) {
                byte[] request =
                        MessageGetRequest.lastForSubject(subject.apply(key)).serialize();
                answers.add(connection.requestWithTimeout(GET + stream, request, address.timeout()));
            }
            for (int i = 0; i < some.size(); i++) {
                MessageInfo message = new MessageInfo(answer(answers.get(i)), stream, false);
                if (NatsRegister.isThere(message)) {
                    found.put(some.get(i), message);
                }
            }
        }
        return found;
    }

    private static Message answer(CompletableFuture<Message> answer) throws IOException, InterruptedException {
        try {
            return answer.get();
        } catch (ExecutionException | CancellationException e) {
            throw new IOException("a request was not answered in time", e);
        }
    }
}
