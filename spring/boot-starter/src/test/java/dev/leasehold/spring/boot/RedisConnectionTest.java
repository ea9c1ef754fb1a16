package dev.leasehold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leases;
import dev.leasehold.redis.RedisLeaseStore;
import dev.leasehold.spi.LeaseStore;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import redis.embedded.RedisServer;

/** Leases in the Redis that the application uses, a real one. */
class RedisConnectionTest {
    private static RedisServer server;
    private static int port;

    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(LeaseholdAutoConfiguration.class));

    @BeforeAll
    static void start() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
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
