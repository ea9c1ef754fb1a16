package dev.leasehold.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Stores;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a step costs, counted by the server. */
@ExtendWith(SharedZooKeeper.class)
class ZooKeeperRoundTripsTest {
    private static final LeaseName NAME = LeaseName.of("job");
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final int ROUNDS = 20;

    /** Pings of the session, and the questions of this test. */
    private static final int OTHER_REQUESTS = 8;

    @Test
    void aStepOnAKnownRecordIsOneRequest() throws IOException {
        String url = SharedZooKeeper.server().url("/trips/" + UUID.randomUUID());
        try (LeaseStore store = Stores.create(url)) {
            store.release(acquire(store), Duration.ZERO);
            long before = requests();
            for (int i = 0; i < ROUNDS; i++) {
                Grant grant = acquire(store);
                store.renew(List.of(new RenewRequest(grant, TTL)));
                store.release(grant, Duration.ZERO);
            }
            assertThat(requests() - before).isBetween(3L * ROUNDS, 3L * ROUNDS + OTHER_REQUESTS);
        }
    }

    private static Grant acquire(LeaseStore store) {
        AttemptId attempt = AttemptId.of(UUID.randomUUID().toString());
        return ((Acquisition.Granted) store.acquire(NAME, attempt, Holder.of("h"), TTL)).grant();
    }

    private static long requests() throws IOException {
        return Long.parseLong(FourLetterWord.status(SharedZooKeeper.server().port(), "Received"));
    }
}
