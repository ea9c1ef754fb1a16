package dev.leasehold.bench;

import dev.leasehold.Leases;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.redis.RedisLeaseStore;
import java.util.List;
import redis.clients.jedis.UnifiedJedis;

/** Fills namespaces with few and with many records. */
final class RedisManyRecords {
    private static final int SLICE = 10_000;

    /** Copies the first record, whatever its format. */
    private static final String FILL =
            """
            local record = redis.call('DUMP', KEYS[1])
            for i = ARGV[1], ARGV[2] do
                local name = 'bench/many-' .. i
                redis.call('RESTORE', ARGV[3] .. name, 0, record, 'REPLACE')
                redis.call('ZADD', KEYS[2], 0, name)
            end
            return 1""";

    private final String url;
    private final UnifiedJedis jedis;
    private final Targets targets;

    RedisManyRecords(String url, UnifiedJedis jedis, Targets targets) {
        this.url = url;
        this.jedis = jedis;
        this.targets = targets;
    }

    void run() throws Exception {
        try (Leases amongFew = filled("few", ManyRecords.FEW);
                Leases amongMany = filled("many", ManyRecords.MANY)) {
            new ManyRecords().compare("Redis", 2000, 15, amongFew, amongMany, targets);
        }
    }

    private Leases filled(String namespace, int records) throws Exception {
        Leases leases = Leases.over(RedisLeaseStore.create(url + "?ns=" + namespace))
                .terms(LeaseTerms.ofTtl(RedisLocks.TTL))
                .build();
        AcquireRelease.leasehold(leases).acquireAndRelease(ManyRecords.NAME_PREFIX + 0);
        fill(jedis, namespace, records);
        return leases;
    }

    /** Adds copies of the first record. */
    static void fill(UnifiedJedis jedis, String namespace, int records) {
        String tag = "{leasehold:" + namespace + "}:";
        List<String> keys = List.of(tag + "lease:bench/many-0", tag + "names");
        for (int from = 1; from < records; from += SLICE) {
            String last = Integer.toString(Math.min(from + SLICE, records) - 1);
            jedis.eval(FILL, keys, List.of(Integer.toString(from), last, tag + "lease:"));
        }
    }
}
