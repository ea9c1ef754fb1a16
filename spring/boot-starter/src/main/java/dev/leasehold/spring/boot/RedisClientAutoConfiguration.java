package dev.leasehold.spring.boot;

import dev.leasehold.redis.RedisClient;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.util.ClassUtils;

/** The client for fences in Redis, {@code RedisFence.at(client, key)}. */
@AutoConfiguration(after = LeaseholdAutoConfiguration.class)
@ConditionalOnClass(name = "dev.leasehold.redis.RedisClient")
@ConditionalOnProperty(name = "leasehold.enabled", matchIfMissing = true)
public class RedisClientAutoConfiguration {
    /** Lazy, because an application without such a fence needs none, and may have no Redis. */
    @Bean(destroyMethod = "close")
    @Lazy
    @ConditionalOnMissingBean
    RedisClient leaseholdRedisClient(LeaseholdProperties settings, ListableBeanFactory beans) {
        return RedisClient.connect(url(settings, beans));
    }

    private static String url(LeaseholdProperties settings, ListableBeanFactory beans) {
        String store = settings.store() == null ? "" : settings.store().strip();
        if (store.matches("(redis|valkey)s?://.*")) {
            return store;
        }
        boolean springData = ClassUtils.isPresent(
                "org.springframework.data.redis.connection.RedisConnectionFactory",
                beans.getClass().getClassLoader());
        return (springData ? RedisConnections.url(beans) : java.util.Optional.<String>empty())
                .orElseThrow(() -> new LeaseSetupException(
                        "A fence in Redis needs a Redis connection, and the application has none, or several.",
                        "Configure spring.data.redis.host, or define a bean of type dev.leasehold.redis.RedisClient."));
    }
}
