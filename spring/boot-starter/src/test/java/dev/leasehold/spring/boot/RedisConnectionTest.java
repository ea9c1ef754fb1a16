package dev.leasehold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.redis.RedisClient;
import dev.leasehold.redis.RedisFence;
import dev.leasehold.redis.RedisLeaseStore;
import dev.leasehold.redis.RedisWrite;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spring.tx.LeaseScope;
import dev.leasehold.spring.tx.LeasedFence;
import dev.leasehold.spring.tx.StaleLeaseException;
import dev.leasehold.testkit.servers.LoopbackPort;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import redis.embedded.RedisServer;

/** Leases in the Redis that the application uses, a real one. */
class RedisConnectionTest {
    private static RedisServer server;
    private static int port;

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(LeaseholdAutoConfiguration.class, RedisClientAutoConfiguration.class));

    @BeforeAll
    static void start() throws Exception {
        port = LoopbackPort.free();
        server = RedisServer.newRedisServer()
                .port(port)
                .setting("bind 127.0.0.1")
                .setting("requirepass p@ss:w/rd")
                .build();
        server.start();
    }

    @AfterAll
    static void stop() throws Exception {
        server.stop();
    }

    private static RedisConnectionFactory connection() {
        RedisStandaloneConfiguration redis = new RedisStandaloneConfiguration("127.0.0.1", port);
        redis.setPassword("p@ss:w/rd");
        redis.setDatabase(3);
        return new JedisConnectionFactory(redis);
    }

    @Test
    void leasesAreInTheRedisOfTheApplication() {
        runner.withBean("redis", RedisConnectionFactory.class, RedisConnectionTest::connection)
                .run(context -> {
                    assertThat(context.getBean(LeaseStore.class)).isInstanceOf(RedisLeaseStore.class);
                    assertThat(context.getBean(Leases.class).tryAcquire("job").lease())
                            .isPresent();
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class Stock {
        @Bean
        LeasedFence<RedisWrite> stockLevel(RedisClient redis) {
            return LeasedFence.of("stock", RedisFence.at(redis, "stock:level"));
        }

        @Bean
        StringRedisTemplate template(RedisConnectionFactory redis) {
            return new StringRedisTemplate(redis);
        }
    }

    /** The leases are elsewhere; the fence is in the Redis of the application, beside its values. */
    @Test
    void fenceInTheRedisOfTheApplicationRefusesAStaleRun() {
        runner.withPropertyValues("leasehold.store=memory:")
                .withBean("redis", RedisConnectionFactory.class, RedisConnectionTest::connection)
                .withUserConfiguration(Stock.class)
                .run(context -> {
                    Leases leases = context.getBean(Leases.class);
                    StringRedisTemplate values = context.getBean(StringRedisTemplate.class);
                    @SuppressWarnings("unchecked")
                    LeasedFence<RedisWrite> level = context.getBean(LeasedFence.class);
                    Lease first = leases.tryAcquire("stock").lease().orElseThrow();
                    try (LeaseScope scope = LeaseScope.open(first)) {
                        level.raise();
                        level.write(RedisWrite.string("1"));
                    }
                    assertThat(values.opsForValue().get("stock:level")).isEqualTo("1");
                    first.close();
                    try (Lease second = leases.tryAcquire("stock").lease().orElseThrow();
                            LeaseScope scope = LeaseScope.open(second)) {
                        level.raise();
                    }
                    try (LeaseScope stale = LeaseScope.open(first)) {
                        assertThatThrownBy(() -> level.write(RedisWrite.string("2")))
                                .isInstanceOf(StaleLeaseException.class);
                    }
                    assertThat(values.opsForValue().get("stock:level")).isEqualTo("1");
                });
    }

    @Test
    void fenceWithoutARedisIsRefusedWithTheFix() {
        runner.withPropertyValues("leasehold.store=memory:")
                .run(context -> assertThat(context).hasNotFailed());
        runner.withPropertyValues("leasehold.store=memory:")
                .run(context -> assertThatThrownBy(() -> context.getBean(RedisClient.class))
                        .rootCause()
                        .isInstanceOfSatisfying(LeaseSetupException.class, mistake -> assertThat(mistake.action())
                                .contains("spring.data.redis.host")));
    }

    @Test
    void missingModuleIsNamed() {
        runner.withBean("redis", RedisConnectionFactory.class, RedisConnectionTest::connection)
                .withClassLoader(new FilteredClassLoader(
                        new ClassPathResource("META-INF/services/dev.leasehold.spi.StoreProvider")))
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOfSatisfying(LeaseSetupException.class, mistake -> assertThat(mistake.action())
                                .contains("leasehold-redis")));
    }

    @Test
    void sentinelIsRefused() {
        runner.withBean("redis", RedisConnectionFactory.class, RedisConnectionTest::sentinel)
                .run(context ->
                        assertThat(context.getStartupFailure()).rootCause().hasMessageContaining("Sentinel"));
    }

    private static RedisConnectionFactory sentinel() {
        JedisConnectionFactory made = new JedisConnectionFactory(
                new RedisSentinelConfiguration().master("m").sentinel("127.0.0.1", port));
        made.setEarlyStartup(false);
        return made;
    }
}
