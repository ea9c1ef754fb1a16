package dev.leasehold.aws;

import dev.leasehold.fence.Fence;
import dev.leasehold.testkit.FenceContract;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedS3.class)
class S3FenceContractTest extends FenceContract<byte[]> {
    private final String target = "reports/daily-" + UUID.randomUUID();
    private final List<S3Client> clients = new ArrayList<>();

    @Override
    protected Fence<byte[]> openFence() {
        return fence();
    }

    private S3Fence fence() {
        clients.add(SharedS3.client("leases/fences"));
        return S3Fence.at(clients.get(clients.size() - 1), target);
    }

    @Override
    protected byte[] write(String content) {
        return content.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    protected Optional<String> read() {
        return S3Fence.at(clients.get(0), target).read().map(bytes -> new String(bytes, StandardCharsets.UTF_8));
    }

    @Override
    protected int writesOfEachRacer() {
        return 8;
    }

    @AfterEach
    void closeClients() {
        clients.forEach(S3Client::close);
    }
}
