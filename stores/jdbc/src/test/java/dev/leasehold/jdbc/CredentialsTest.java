package dev.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.testkit.environment.Requires;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Where passwords come from, and what a user is told if the database refuses. */
@Requires("mariadbd")
class CredentialsTest {
    private static final String PASSWORD = "pass/word of carol";

    @RegisterExtension
    static final PostgresServer POSTGRES = PostgresServer.SHARED;

    @RegisterExtension
    static final MariaDbServer MARIADB = MariaDbServer.SHARED;

    @TempDir
    static Path directory;

    private static Path passwordFile;

    @BeforeAll
    static void requirePasswords() throws Exception {
        passwordFile = Files.writeString(directory.resolve("password"), PASSWORD + "\n");
        try (Connection connection = POSTGRES.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create role carol login password '" + PASSWORD + "'");
            try (ResultSet row = statement.executeQuery("show hba_file")) {
                row.next();
                Path rules = Path.of(row.getString(1));
                Files.writeString(rules, "host all carol all scram-sha-256\n" + Files.readString(rules));
            }
            statement.execute("select pg_reload_conf()");
        }
        try (Connection connection = MARIADB.dataSource().getConnection()) {
            assertThat(connection.isValid(10)).isTrue();
        }
    }

    private static String postgres(String user) {
        return POSTGRES.url().replace("postgres@", user + "@");
    }

    private static void connect(String url, Map<String, String> environment) throws SQLException {
        PooledConnections pool = new PooledConnections(JdbcUrl.parse(url, environment::get));
        try (Connection connection = pool.take()) {
            assertThat(connection.isValid(10)).isTrue();
        }
    }

    @Test
    void passwordComesFromAFileOrTheEnvironment() throws Exception {
        connect(postgres("carol") + "?password-file=" + passwordFile, Map.of("PGPASSWORD", "wrong"));
        connect(postgres("carol"), Map.of("PGPASSWORD", PASSWORD));
        String worker = MARIADB.url().replaceAll("worker:[^@]*@", "worker@");
        connect(worker, Map.of("MYSQL_PWD", MariaDbServer.PASSWORD));
        Path ofWorker = Files.writeString(directory.resolve("worker"), MariaDbServer.PASSWORD);
        connect(worker + "?password-file=" + ofWorker, Map.of());
        assertThatThrownBy(() -> connect(postgres("carol"), Map.of("PGPASSWORD", "wrong")))
                .isInstanceOf(SQLException.class);
    }

    @Test
    void serviceNamesHostDatabaseAndUser() throws Exception {
        Path services = Files.writeString(
                directory.resolve("services"),
                "[leases]\nhost=localhost\nport=" + POSTGRES.port() + "\ndbname=postgres\nuser=carol\n");
        System.setProperty("org.postgresql.pgservicefile", services.toString());
        try {
            connect("postgresql://?service=leases", Map.of("PGPASSWORD", PASSWORD));
            connect("postgresql://", Map.of("PGSERVICE", "leases", "PGPASSWORD", PASSWORD));
            assertThatThrownBy(() -> connect("postgresql://?service=other", Map.of()))
                    .isInstanceOf(SQLException.class);
        } finally {
            System.clearProperty("org.postgresql.pgservicefile");
        }
        assertThatThrownBy(() -> JdbcUrl.parse("postgresql://", name -> null))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** The directory of the user is that of the system's list of users, whatever HOME says. */
    @Test
    void passwordComesFromTheFileInTheHomeDirectory() throws Exception {
        Path home = Files.createDirectory(directory.resolve("home"));
        Files.writeString(home.resolve(".pgpass"), "localhost:" + POSTGRES.port() + ":*:carol:" + PASSWORD + "\n");
        String before = System.getProperty("user.home");
        System.setProperty("user.home", home.toString());
        try {
            connect(postgres("carol"), Map.of());
        } finally {
            System.setProperty("user.home", before);
        }
        assertThatThrownBy(() -> connect(postgres("carol"), Map.of())).isInstanceOf(SQLException.class);
    }

    @Test
    void passwordFileThatCannotBeUsedIsNamed() throws Exception {
        Path empty = Files.createFile(directory.resolve("empty"));
        for (String wrong : List.of("relative", "/no/such/file", directory.toString(), empty.toString())) {
            assertThatThrownBy(() -> JdbcUrl.parse("postgresql://u@h/d?password-file=" + wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("password");
        }
        assertThatThrownBy(() -> JdbcUrl.parse("mariadb://u:p@h/d?password-file=" + passwordFile))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("both");
    }

    private static void assertRefused(String url, String... words) {
        assertThatThrownBy(() -> new JdbcStoreProvider().create(url))
                .isInstanceOf(StoreUnavailableException.class)
                .message()
                .contains(words)
                .contains("nothing was changed")
                .doesNotContain("unknown whether");
    }

    @Test
    void messageTellsTheCause() {
        assertRefused(postgres("carol:wrong"), "rejects this user or password", "docs/credentials.md");
        assertRefused(MARIADB.url().replaceAll("worker:[^@]*@", "worker:wrong@"), "rejects this user or password");
        assertRefused(POSTGRES.url() + "x", "has no such database", "Create the database");
        assertRefused(MARIADB.url().replace("/leases", "/elsewhere"), "does not give this user the right", "Grant it");
        assertRefused("postgresql://me@localhost:1/db", "cannot be reached", "host and port");
        assertRefused("mariadb://me@localhost:1/db", "cannot be reached", "host and port");
        assertRefused("postgresql://me@no-such-host.invalid/db", "no host has this name", "no-such-host.invalid");
        assertRefused("mariadb://me@no-such-host.invalid/db", "no host has this name", "no-such-host.invalid");
        assertRefused(postgres("carol"), "none was given", "PGPASSWORD", "?password-file=");
        assertRefused(MARIADB.url().replaceAll("worker:[^@]*@", "worker@"), "none was given", "MYSQL_PWD");
        assertRefused(POSTGRES.url() + "?sslmode=require", "does not offer TLS at this port");
        assertRefused("sqlite:/no/such/directory/x.db", "cannot be opened as a file");
    }

    @Test
    void missingRightsAreNamed() {
        String url = postgres("carol") + "?password-file=" + passwordFile;
        assertRefused(url, "does not give this user the right", "docs/credentials.md");
        assertThatCode(() -> new JdbcStoreProvider().create(POSTGRES.url()).close())
                .doesNotThrowAnyException();
    }
}
