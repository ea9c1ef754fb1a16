/** The store and the fence in Redis. */
module dev.leasehold.redis {
    requires static org.jspecify;
    requires transitive dev.leasehold;
    requires redis.clients.jedis;

    exports dev.leasehold.redis;

    provides dev.leasehold.spi.StoreProvider with
            dev.leasehold.redis.RedisStoreProvider;
}
