package dev.leasehold.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Stores;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingCluster;
import org.junit.jupiter.api.Test;

/** Three members lose their leader while clients use the store. */
class ZooKeeperEnsembleTest {
    private static final LeaseName HELD = LeaseName.of("held");
    private static final LeaseName CONTESTED = LeaseName.of("contested");
    private static final Duration TTL = Duration.ofMinutes(2);

    /** A grant whose answer was lost is not released; the next one has to wait for this long. */
    private static final Duration SHORT = Duration.ofSeconds(1);

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final int CLIENTS = 2;

    @Test
    void aLeaseSurvivesTheLossOfTheLeaderAndNoTokenIsIssuedTwice() throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try (TestingCluster cluster = new TestingCluster(3)) {
            cluster.start();
            String url = "zookeeper://" + cluster.getConnectString() + "/leases?timeout=20s";
            try (LeaseStore store = Stores.create(url)) {
                Grant held = ((Acquisition.Granted) acquire(store, HELD, TTL)).grant();
                long[] end = {Long.MAX_VALUE};
                List<Future<List<Long>>> issued = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    issued.add(clients.submit(() -> tokens(url, end)));
                }
                TimeUnit.MILLISECONDS.sleep(500);
                assertThat(cluster.killServer(leader(cluster))).isTrue();

                renewAgain(store, held);
                assertThat(acquire(store, HELD, TTL)).isInstanceOf(Acquisition.Busy.class);
                synchronized (end) {
                    end[0] = System.nanoTime() + TimeUnit.SECONDS.toNanos(4);
                }
                List<Long> all = new ArrayList<>();
                for (Future<List<Long>> each : issued) {
                    List<Long> tokens = each.get(90, TimeUnit.SECONDS);
                    assertThat(tokens).isSorted();
                    all.addAll(tokens);
                }
                assertThat(all).isNotEmpty().doesNotHaveDuplicates();
                assertThat(acquireAgain(store)).isGreaterThan(Collections.max(all));
            }
        } finally {
            clients.shutdownNow();
        }
    }

    private static void renewAgain(LeaseStore store, Grant held) {
        long began = System.nanoTime();
        Renewal answer;
        do {
            answer = store.renew(List.of(new RenewRequest(held, TTL))).get(0);
        } while (answer instanceof Renewal.Unknown && System.nanoTime() - began < PATIENCE_NANOS);
        assertThat(answer).isInstanceOf(Renewal.Renewed.class);
    }

    /** The tokens that a client got until the end, also after the loss. */
    private static List<Long> tokens(String url, long[] end) {
        List<Long> tokens = new ArrayList<>();
        try (LeaseStore store = Stores.open(url)) {
            boolean more = true;
            while (more) {
                try {
                    if (acquire(store, CONTESTED, SHORT) instanceof Acquisition.Granted granted) {
                        tokens.add(granted.grant().token().value());
                        store.release(granted.grant(), Duration.ZERO);
                    }
                } catch (StoreUnavailableException e) {
                    // No leader, or it is unknown whether the step took effect.
                }
                synchronized (end) {
                    more = end[0] == Long.MAX_VALUE || System.nanoTime() - end[0] < 0;
                }
            }
        }
        return tokens;
    }

    private static long acquireAgain(LeaseStore store) throws InterruptedException {
        long began = System.nanoTime();
        while (System.nanoTime() - began < PATIENCE_NANOS) {
            if (acquire(store, CONTESTED, SHORT) instanceof Acquisition.Granted granted) {
                return granted.grant().token().value();
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        throw new IllegalStateException("the lease stays held");
    }

    private static Acquisition acquire(LeaseStore store, LeaseName name, Duration ttl) {
        return store.acquire(name, AttemptId.of(UUID.randomUUID().toString()), Holder.of("h"), ttl);
    }

    private static InstanceSpec leader(TestingCluster cluster) throws IOException {
        for (InstanceSpec member : cluster.getInstances()) {
            if (FourLetterWord.status(member.getPort(), "Mode").equals("leader")) {
                return member;
            }
        }
        throw new IOException("no member is the leader");
    }
}
