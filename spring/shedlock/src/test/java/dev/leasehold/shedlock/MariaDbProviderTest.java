package dev.leasehold.shedlock;

import dev.leasehold.testkit.environment.Requires;
import org.junit.jupiter.api.extension.RegisterExtension;

/** ShedLock's suite on a real MariaDB. */
@Requires({"mariadbd", "mariadb-install-db"})
class MariaDbProviderTest extends ProviderSuite {
    @RegisterExtension
    static final SuiteServer SERVER = SuiteServer.MARIADB;

    @Override
    String url() {
        return SERVER.url();
    }
}
