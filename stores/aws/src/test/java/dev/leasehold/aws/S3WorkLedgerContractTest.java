package dev.leasehold.aws;

import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.WorkLedgerContract;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.extension.ExtendWith;

/** The clock of S3 has whole seconds, so the test shifts it. */
@ExtendWith(SharedS3.class)
class S3WorkLedgerContractTest extends WorkLedgerContract {
    private static final AtomicReference<Duration> PASSED = new AtomicReference<>(Duration.ZERO);

    @Override
    protected LeaseStore openStore() {
        S3Client client = SharedS3.client("leases/ledger");
        return S3LeaseStore.over(client, new S3Register(client, PASSED::get), true);
    }

    @Override
    protected void passTime(Duration duration) {
        PASSED.updateAndGet(duration.plus(S3LeaseStore.COARSENESS)::plus);
    }

    @Override
    protected Duration shortTtl() {
        return Duration.ofSeconds(30);
    }
}
