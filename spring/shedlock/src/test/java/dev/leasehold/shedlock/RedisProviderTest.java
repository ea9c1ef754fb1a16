package dev.leasehold.shedlock;

import org.junit.jupiter.api.extension.RegisterExtension;

/** ShedLock's suite on a real Redis. */
class RedisProviderTest extends ProviderSuite {
    @RegisterExtension
    static final SuiteServer SERVER = SuiteServer.REDIS;

    @Override
    String url() {
        return SERVER.url();
    }
}
