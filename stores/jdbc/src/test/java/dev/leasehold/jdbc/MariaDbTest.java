package dev.leasehold.jdbc;

import org.junit.jupiter.api.extension.RegisterExtension;

class MariaDbTest extends DatabaseContracts {
    @RegisterExtension
    static final MariaDbServer SERVER = MariaDbServer.SHARED;

    MariaDbTest() {
        super(SERVER);
    }
}
