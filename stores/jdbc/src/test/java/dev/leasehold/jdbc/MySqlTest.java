package dev.leasehold.jdbc;

import dev.leasehold.testkit.environment.InstalledProgram;
import dev.leasehold.testkit.environment.Requires;
import org.junit.jupiter.api.extension.RegisterExtension;

@Requires(InstalledProgram.MYSQL)
class MySqlTest extends DatabaseContracts {
    @RegisterExtension
    static final MySqlServer SERVER = MySqlServer.SHARED;

    MySqlTest() {
        super(SERVER);
    }
}
