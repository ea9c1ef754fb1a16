package dev.leasehold.durableobjects;

import dev.leasehold.fence.Fence;
import dev.leasehold.testkit.FenceContract;
import dev.leasehold.testkit.environment.InstalledProgram;
import dev.leasehold.testkit.environment.Requires;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

@Requires(InstalledProgram.WORKERD)
@ExtendWith(SharedWorkerd.class)
class DurableObjectsFenceContractTest extends FenceContract<String> {
    private final String target = "report-" + UUID.randomUUID();
    private final List<DurableObjectsClient> clients = new ArrayList<>();

    @Override
    protected Fence<String> openFence() {
        clients.add(DurableObjectsClient.connect(SharedWorkerd.url("fences")));
        return DurableObjectsFence.at(clients.get(clients.size() - 1), target);
    }

    @Override
    protected String write(String content) {
        return content;
    }

    @Override
    protected Optional<String> read() {
        return DurableObjectsFence.at(clients.get(0), target).read();
    }

    @AfterEach
    void closeClients() {
        clients.forEach(DurableObjectsClient::close);
    }
}
