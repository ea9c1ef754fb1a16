package dev.leasehold.firestore;

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

@Requires(InstalledProgram.FIRESTORE)
@ExtendWith(SharedFirestore.class)
class FirestoreFenceContractTest extends FenceContract<String> {
    private final String target = "report-" + UUID.randomUUID();
    private final List<FirestoreClient> clients = new ArrayList<>();

    @Override
    protected Fence<String> openFence() {
        clients.add(FirestoreClient.connect(SharedFirestore.url("fences")));
        return FirestoreFence.at(clients.get(clients.size() - 1), target);
    }

    @Override
    protected String write(String content) {
        return content;
    }

    @Override
    protected Optional<String> read() {
        return FirestoreFence.at(clients.get(0), target).read();
    }

    @AfterEach
    void closeClients() {
        clients.forEach(FirestoreClient::close);
    }
}
