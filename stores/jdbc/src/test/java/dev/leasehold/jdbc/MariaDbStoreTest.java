package dev.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.testkit.environment.Requires;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Requires("mariadbd")
class MariaDbStoreTest extends InnoDbStoreTest {
    @RegisterExtension
    static final MariaDbServer SERVER = MariaDbServer.SHARED;

    MariaDbStoreTest() {
        super(SERVER);
    }

    @Test
    void settingThatChangesTheMeaningOfStatementsIsRefused() {
        String url = SERVER.url("sessionVariables", "sql_mode='SIMULTANEOUS_ASSIGNMENT'");
        assertThatThrownBy(() -> new JdbcStoreProvider().create(url)).hasMessageContaining("SIMULTANEOUS_ASSIGNMENT");
    }
}
