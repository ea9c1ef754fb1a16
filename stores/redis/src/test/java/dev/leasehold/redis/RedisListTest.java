package dev.leasehold.redis;

import static dev.leasehold.redis.Fixtures.acquire;
import static dev.leasehold.redis.Fixtures.command;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.clients.jedis.Protocol;

/** A list reads the records of its prefix and no others. The server counts its commands, also those of scripts. */
@ExtendWith(SharedRedis.class)
class RedisListTest {
    private static final int MANY = 500;
    private static final int FEW = 10;

    /** For a record: its lease, its progress. For a page: the names, the script, the clock, and the end of the names. */
    private static final int MOST_COMMANDS = 2 * FEW + 10;

    private final String url = SharedRedis.url() + "?ns=list-" + UUID.randomUUID();

    @Test
    void listReadsOnlyTheRecordsOfItsPrefix() {
        try (LeaseStore store = RedisLeaseStore.create(url)) {
            for (int i = 0; i < MANY; i++) {
                make(store, "b/" + i);
                make(store, "y/" + i);
            }
            for (int i = 0; i < FEW; i++) {
                make(store, "m/" + i);
            }
            assertThat(commandsOf(() -> assertThat(store.list("m/", "", 1000)).hasSize(FEW)))
                    .as("leases")
                    .isBetween((long) FEW, (long) MOST_COMMANDS);
            assertThat(commandsOf(() -> assertThat(store.register().readings("m/", "", 1000))
                            .hasSize(FEW)))
                    .as("readings")
                    .isBetween((long) FEW, (long) MOST_COMMANDS);
            assertThat(commandsOf(() -> assertThat(store.list("", "", 10_000)).hasSize(2 * MANY + FEW)))
                    .as("all of them")
                    .isGreaterThan(2 * MANY);
        }
    }

    private static void make(LeaseStore store, String name) {
        acquire(store, LeaseName.of(name));
        assertThat(store.register().compareAndSet(name, CasRegister.ABSENT, "value"))
                .isTrue();
    }

    private long commandsOf(Runnable work) {
        long before = commands();
        work.run();
        return commands() - before;
    }

    /** Without those of this question. */
    private long commands() {
        String statistics = Resp.text(command(url, Protocol.Command.INFO, "commandstats"));
        Matcher matcher = Pattern.compile(
                        "cmdstat_(get|hget|hmget|hgetall|mget|zrangebylex|zrange|evalsha|eval|time):calls=(\\d+)")
                .matcher(statistics);
        long sum = 0;
        while (matcher.find()) {
            sum += Long.parseLong(matcher.group(2));
        }
        return sum;
    }
}
