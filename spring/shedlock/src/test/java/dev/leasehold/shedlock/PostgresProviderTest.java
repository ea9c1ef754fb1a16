package dev.leasehold.shedlock;

import org.junit.jupiter.api.extension.RegisterExtension;

/** ShedLock's suite on a real PostgreSQL. */
class PostgresProviderTest extends ProviderSuite {
    @RegisterExtension
    static final SuiteServer SERVER = SuiteServer.POSTGRESQL;

    @Override
    String url() {
        return SERVER.url();
    }
}
