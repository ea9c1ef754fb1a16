package dev.leasehold.redis;

import dev.leasehold.testkit.StoreMoveContract;
import java.util.UUID;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedRedis.class)
class RedisStoreMoveTest extends StoreMoveContract {
    private final String namespace = UUID.randomUUID().toString();

    @Override
    protected String url() {
        String url = server();
        return url + (url.indexOf('?') < 0 ? "?" : "&") + "ns=" + namespace;
    }

    String server() {
        return SharedRedis.url();
    }
}
