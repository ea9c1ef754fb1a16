package dev.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.CasRegisterContract;
import dev.leasehold.testkit.LeaseStoreContract;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The store that {@code docs/stores.md} shows is complete: it passes both contracts. */
class OwnStoreExampleTest {
    private static final String URL = "jdbc:h2:mem:own-store;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=60000";
    private static final Path ROOT = Path.of("..", "..");

    @BeforeAll
    static void createTheTable() throws SQLException {
        try (Connection connection = DriverManager.getConnection(URL);
                Statement statement = connection.createStatement()) {
            statement.execute("create table if not exists leasehold (name varchar(400) primary key,"
                    + " content varchar not null, version varchar(40) not null)");
        }
    }

    @Test
    void documentShowsExactlyThisStore() throws Exception {
        String source = Files.readString(ROOT.resolve("stores/jdbc/src/test/java/dev/leasehold/jdbc/TableStore.java"));
        assertThat(source.lines().count()).isLessThan(150);
        String shown = source.replace("package dev.leasehold.jdbc;", "package com.example;");
        assertThat(Files.readString(ROOT.resolve("docs/stores.md"))).contains("```java\n" + shown + "```");
    }

    @Nested
    class Leases extends LeaseStoreContract {
        @Override
        protected LeaseStore openStore() {
            return new TableStore.Provider().create("table:" + URL);
        }
    }

    @Nested
    class Registers extends CasRegisterContract {
        @Override
        protected CasRegister openRegister() {
            return new TableStore(URL);
        }
    }
}
