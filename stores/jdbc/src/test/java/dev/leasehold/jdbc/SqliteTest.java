package dev.leasehold.jdbc;

import org.junit.jupiter.api.extension.RegisterExtension;

class SqliteTest extends DatabaseContracts {
    @RegisterExtension
    static final SqliteServer SERVER = SqliteServer.SHARED;

    SqliteTest() {
        super(SERVER);
    }
}
