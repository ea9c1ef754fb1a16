package dev.leasehold.nats;

import dev.leasehold.testkit.StoreMoveContract;
import dev.leasehold.testkit.environment.Requires;
import java.util.UUID;
import org.junit.jupiter.api.extension.ExtendWith;

@Requires("nats-server")
@ExtendWith(SharedNats.class)
class NatsStoreMoveTest extends StoreMoveContract {
    private final String place = "move-" + UUID.randomUUID();

    @Override
    protected String url() {
        return SharedNats.server().url(place);
    }
}
