package dev.leasehold.jdbc;

import org.junit.jupiter.api.extension.RegisterExtension;

class H2Test extends DatabaseContracts {
    @RegisterExtension
    static final H2Server SERVER = H2Server.SHARED;

    H2Test() {
        super(SERVER);
    }
}
