package dev.leasehold.redis;

import static dev.leasehold.redis.Fixtures.LONG;
import static dev.leasehold.redis.Fixtures.acquire;
import static dev.leasehold.redis.Fixtures.command;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Renewal;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.clients.jedis.Protocol;

/** Renewing many grants takes a few round trips. */
@ExtendWith(SharedRedis.class)
class RedisRenewalTest {
    private static final int HELD = 10_000;

    @Test
    void tenThousandGrantsAreRenewedInTenRoundTrips() {
        String url = SharedRedis.url() + "?ns=many-" + UUID.randomUUID();
        try (LeaseStore store = RedisLeaseStore.create(url)) {
            List<RenewRequest> requests = new ArrayList<>();
            for (int i = 0; i < HELD; i++) {
                requests.add(new RenewRequest(acquire(store, LeaseName.of("held-" + i)), LONG.plusMinutes(1)));
            }
            long before = calls(url);
            List<Renewal> results = store.renew(requests);
            assertThat(calls(url) - before).as("scripts, one per round trip").isLessThanOrEqualTo(HELD / 1000);
            assertThat(results).hasSize(HELD).allMatch(Renewal.Renewed.class::isInstance);
            assertThat(store.list("held-", "", Integer.MAX_VALUE)).hasSize(HELD);
        }
    }

    /**
     * Each request is independent of its neighbours: another ttl, the same lease again, a lost
     * lease.
     */
    @Test
    void grantsOfOneCallAreIndependent() {
        try (LeaseStore store = RedisLeaseStore.create(SharedRedis.url() + "?ns=mixed-" + UUID.randomUUID())) {
            Grant one = acquire(store, LeaseName.of("one"));
            Grant two = acquire(store, LeaseName.of("two"));
            Grant lost = acquire(store, LeaseName.of("lost"));
            store.release(lost, Duration.ZERO);
            Duration longer = LONG.plusMinutes(5);
            List<Renewal> results = store.renew(List.of(
                    new RenewRequest(one, longer),
                    new RenewRequest(lost, longer),
                    new RenewRequest(two, LONG.plusMinutes(1)),
                    new RenewRequest(one, LONG),
                    new RenewRequest(two, LONG.plusMinutes(2))));
            assertThat(results.get(0)).isEqualTo(new Renewal.Renewed(longer));
            assertThat(results.get(1)).isInstanceOf(Renewal.NotRenewed.class);
            assertThat(results.get(2)).isEqualTo(new Renewal.Renewed(LONG.plusMinutes(1)));
            assertThat(((Renewal.Renewed) results.get(3)).remaining())
                    .as("a deadline never moves back")
                    .isBetween(LONG.plusMinutes(4), longer);
            assertThat(results.get(4)).isEqualTo(new Renewal.Renewed(LONG.plusMinutes(2)));
        }
    }

    private static long calls(String url) {
        String statistics = Resp.text(command(url, Protocol.Command.INFO, "commandstats"));
        long calls = 0;
        for (String line : statistics.split("\r\n", -1)) {
            if (line.startsWith("cmdstat_eval")) {
                String from = line.substring(line.indexOf("calls=") + 6);
                calls += Long.parseLong(from.substring(0, from.indexOf(',')));
            }
        }
        return calls;
    }
}
