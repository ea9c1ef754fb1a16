package dev.leasehold.spring.boot;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanWrapper;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

/** The address of the application's own Redis. */
final class RedisConnections {
    private RedisConnections() {}

    static Optional<String> url(ListableBeanFactory beans) {
        RedisConnectionFactory factory =
                beans.getBeanProvider(RedisConnectionFactory.class).getIfUnique();
        return factory == null ? Optional.empty() : Optional.of(url(factory));
    }

    /** Read by the names of properties: the factories of Lettuce and Jedis share no type that has them. */
    private static String url(RedisConnectionFactory factory) {
        BeanWrapper properties = PropertyAccessorFactory.forBeanPropertyAccess(factory);
        if (isTrue(properties, "clusterAware") || isTrue(properties, "redisSentinelAware")) {
            throw new LeaseSetupException(
                    "The application uses a Redis Cluster or Sentinel. After a failover, Redis may issue a token twice.",
                    "Set leasehold.store to the URL of a single Redis server, or keep the leases in a database.");
        }
        if (!(property(properties, "standaloneConfiguration") instanceof RedisStandaloneConfiguration redis)) {
            throw new LeaseSetupException(
                    "The address of the application's Redis cannot be found in a "
                            + factory.getClass().getName() + ".",
                    "Set leasehold.store=redis://host:6379/0.");
        }
        String user = redis.getUsername() == null ? "" : encoded(redis.getUsername());
        String password = redis.getPassword().toOptional().map(String::new).orElse("");
        String credentials = password.isEmpty() && user.isEmpty() ? "" : user + ":" + encoded(password) + "@";
        return (isTrue(properties, "useSsl") ? "rediss://" : "redis://") + credentials + redis.getHostName() + ":"
                + redis.getPort() + "/" + redis.getDatabase();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static boolean isTrue(BeanWrapper properties, String name) {
        return Boolean.TRUE.equals(property(properties, name));
    }

    private static @Nullable Object property(BeanWrapper properties, String name) {
        return properties.isReadableProperty(name) ? properties.getPropertyValue(name) : null;
    }
}
