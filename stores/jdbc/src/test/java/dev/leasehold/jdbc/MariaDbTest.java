package dev.leasehold.jdbc;

import dev.leasehold.testkit.environment.Requires;
import org.junit.jupiter.api.extension.RegisterExtension;

@Requires("mariadbd")
class MariaDbTest extends DatabaseContracts {
    @RegisterExtension
    static final MariaDbServer SERVER = MariaDbServer.SHARED;

    MariaDbTest() {
        super(SERVER);
    }
}
