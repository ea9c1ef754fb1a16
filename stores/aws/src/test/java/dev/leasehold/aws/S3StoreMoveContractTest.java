package dev.leasehold.aws;

import dev.leasehold.model.LeaseRecord;
import dev.leasehold.testkit.StoreMoveContract;
import java.util.UUID;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedS3.class)
class S3StoreMoveContractTest extends StoreMoveContract {
    private final String place = "move-" + UUID.randomUUID();

    /** The clock of S3 is coarse, and another store must not take the lease away too early. */
    @Override
    protected LeaseRecord moved(LeaseRecord held) {
        return IncomingS3Store.later(held);
    }

    @Override
    protected String url() {
        return SharedS3.url("leases/" + place);
    }
}
