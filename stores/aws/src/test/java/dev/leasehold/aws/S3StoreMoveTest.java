package dev.leasehold.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Forgetting;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.StoreMovedException;
import dev.leasehold.spi.ForgetRequest;
import dev.leasehold.spi.IncomingStore;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.OutgoingStore;
import dev.leasehold.store.CasLeaseStore;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A store moves from one prefix of a bucket to another, and keeps there what only S3 has. */
@ExtendWith(SharedS3.class)
class S3StoreMoveTest {
    private static final LeaseName NAME = LeaseName.of("job");
    private static final Duration TTL = Duration.ofMinutes(5);

    private final S3Client from = SharedS3.client("leases/from-" + UUID.randomUUID());
    private final S3Client to = SharedS3.client("leases/to-" + UUID.randomUUID());

    @Test
    void aLeaseStaysHeldAndItsTokenGoesOn() {
        Grant held;
        try (LeaseStore store = S3LeaseStore.over(from, new S3Register(from), true);
                OutgoingStore outgoing = start(store);
                IncomingStore incoming =
                        new IncomingS3Store(CasLeaseStore.receive(new S3Register(to), "s3", store.id()))) {
            LeaseSnapshot lease = outgoing.content().inspect(NAME).orElseThrow();
            held = new Grant(NAME, lease.lease().token(), lease.lease().owner().attempt(), store.id());
            incoming.put(lease.lease(), outgoing.content().history(NAME, 64));
            incoming.prepare();
            outgoing.allCopied();
            incoming.complete();
            outgoing.finish();
            assertThatThrownBy(() -> store.inspect(NAME)).isInstanceOf(StoreMovedException.class);
        }
        assertThat(to.list(to.prefix(), null, 1000).entries())
                .as("the empty object of a forgotten name stays in the old place")
                .isNotEmpty()
                .allMatch(object -> object.size() > 0);
        S3Client again = SharedS3.client("leases/" + to.prefix());
        try (LeaseStore store = S3LeaseStore.over(again, new S3Register(again), false)) {
            assertThat(acquire(store)).isInstanceOf(Acquisition.Busy.class);
            store.release(held, Duration.ZERO);
            assertThat(((Acquisition.Granted) acquire(store)).grant().token().value())
                    .isEqualTo(2);
        }
    }

    private OutgoingStore start(LeaseStore store) {
        assertThat(acquire(store)).isInstanceOf(Acquisition.Granted.class);
        LeaseName forgotten = LeaseName.of("forgotten");
        Grant brief = ((Acquisition.Granted)
                        store.acquire(forgotten, AttemptId.of("attempt-of-a-moment"), Holder.of("h"), TTL))
                .grant();
        store.release(brief, Duration.ZERO);
        assertThat(store.forget(List.of(new ForgetRequest(forgotten, brief.token()))))
                .containsExactly(Forgetting.FORGOTTEN);
        return CasLeaseStore.moveAway(new S3Register(from), "s3", "s3://elsewhere");
    }

    private static Acquisition acquire(LeaseStore store) {
        return store.acquire(NAME, AttemptId.of(UUID.randomUUID().toString()), Holder.of("h"), TTL);
    }
}
