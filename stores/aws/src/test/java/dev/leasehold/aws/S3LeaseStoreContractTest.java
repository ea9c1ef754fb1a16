package dev.leasehold.aws;

import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.LeaseStoreContract;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.extension.ExtendWith;

/** The clock of S3 has whole seconds. The test shifts it, because waiting for it would take minutes. */
@ExtendWith(SharedS3.class)
class S3LeaseStoreContractTest extends LeaseStoreContract {
    private static final AtomicReference<Duration> PASSED = new AtomicReference<>(Duration.ZERO);

    @Override
    protected LeaseStore openStore() {
        S3Client client = SharedS3.client("leases/contract");
        return S3LeaseStore.over(client, new S3Register(client, PASSED::get), true);
    }

    @Override
    protected void passTime(Duration duration) {
        PASSED.updateAndGet(duration::plus);
    }

    @Override
    protected Duration shortTtl() {
        return Duration.ofSeconds(30);
    }
}
