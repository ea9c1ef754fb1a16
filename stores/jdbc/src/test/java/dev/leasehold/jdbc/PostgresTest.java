package dev.leasehold.jdbc;

import org.junit.jupiter.api.extension.RegisterExtension;

class PostgresTest extends DatabaseContracts {
    @RegisterExtension
    static final PostgresServer SERVER = PostgresServer.SHARED;

    PostgresTest() {
        super(SERVER);
    }
}
