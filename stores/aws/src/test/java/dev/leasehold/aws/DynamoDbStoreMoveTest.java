package dev.leasehold.aws;

import dev.leasehold.testkit.StoreMoveContract;
import java.util.UUID;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedDynamoDb.class)
class DynamoDbStoreMoveTest extends StoreMoveContract {
    private final String place = "move-" + UUID.randomUUID();

    @Override
    protected String url() {
        return SharedDynamoDb.url("leases/" + place);
    }
}
