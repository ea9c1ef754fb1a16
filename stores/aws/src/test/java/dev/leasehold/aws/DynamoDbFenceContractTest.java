package dev.leasehold.aws;

import dev.leasehold.Stores;
import dev.leasehold.fence.Fence;
import dev.leasehold.testkit.FenceContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedDynamoDb.class)
class DynamoDbFenceContractTest extends FenceContract<String> {
    private static final String PLACE = "leases/fences";

    private final String target = "report-" + UUID.randomUUID();
    private final List<DynamoDbClient> clients = new ArrayList<>();

    @Override
    protected Fence<String> openFence() {
        Stores.create(SharedDynamoDb.url(PLACE)).close();
        clients.add(DynamoDbClient.connect(SharedDynamoDb.url(PLACE)));
        return DynamoDbFence.at(clients.get(clients.size() - 1), target);
    }

    @Override
    protected String write(String content) {
        return content;
    }

    @Override
    protected Optional<String> read() {
        return DynamoDbFence.at(clients.get(0), target).read();
    }

    @AfterEach
    void closeClients() {
        clients.forEach(DynamoDbClient::close);
    }
}
