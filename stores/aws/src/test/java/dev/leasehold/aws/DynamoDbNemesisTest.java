package dev.leasehold.aws;

import dev.leasehold.Stores;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.nemesis.ContestedTarget;
import dev.leasehold.testkit.nemesis.NemesisContract;
import dev.leasehold.testkit.nemesis.Site;
import dev.leasehold.testkit.servers.DynamoDbServer;
import dev.leasehold.testkit.servers.JavaServer;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalInt;

/** Real processes on DynamoDB, with a guarded text. */
class DynamoDbNemesisTest extends NemesisContract {
    private static final String PLAIN = "plain";

    @Override
    protected Site openSite(Path directory) throws Exception {
        DynamoDbServer server = DynamoDbServer.start(JavaServer.ownClassPath(), true);
        return new Site() {
            @Override
            public OptionalInt port() {
                return OptionalInt.of(server.port());
            }

            /** The test itself waits for a slow server; holders do not. */
            @Override
            public String address(int port) {
                return "dynamodb://leases/nemesis?endpoint=http://127.0.0.1:" + port + "&timeout="
                        + (port == server.port() ? "20s" : "1s");
            }

            @Override
            public void restart() throws Exception {
                server.kill();
                server.startAgain();
            }

            @Override
            public void close() throws Exception {
                server.close();
            }
        };
    }

    @Override
    protected ContestedTarget open(String address) {
        LeaseStore store = Stores.create(address);
        DynamoDbClient client = DynamoDbClient.connect(address);
        return new Guarded(store, client, DynamoDbFence.at(client, "contested"));
    }

    private record Guarded(LeaseStore store, DynamoDbClient client, DynamoDbFence fence) implements ContestedTarget {
        @Override
        public Admission raise(Grant grant) {
            return fence.raise(grant);
        }

        @Override
        public Admission admit(Grant grant, String content) {
            return fence.admit(grant, content);
        }

        /** What was written without the fence counts, if there is any. */
        @Override
        public String read() {
            try {
                String plain = DynamoDbClient.text(client.get(PLAIN, PLAIN), "c");
                return plain == null ? fence.read().orElse("") : plain;
            } catch (StoreUnavailableException e) {
                throw new TargetUnavailableException(e.getMessage(), e);
            }
        }

        /** A writer that asks nobody: a write without a condition. */
        @Override
        public void overwrite(String content) {
            try {
                client.change(
                        "UpdateItem",
                        Map.of(
                                "Key", client.key(PLAIN, PLAIN),
                                "UpdateExpression", "SET c = :content",
                                "ExpressionAttributeValues", Map.of(":content", DynamoDbClient.string(content))));
            } catch (StoreUnavailableException e) {
                throw new TargetUnavailableException(e.getMessage(), e);
            }
        }

        @Override
        public void close() {
            client.close();
            store.close();
        }
    }
}
