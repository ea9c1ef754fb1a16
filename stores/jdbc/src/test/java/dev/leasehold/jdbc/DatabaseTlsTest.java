package dev.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.environment.InstalledProgram;
import dev.leasehold.testkit.environment.Requires;
import dev.leasehold.testkit.environment.TestCertificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** TLS connections to real databases: the certificate must be trusted and name the host, and messages tell what is wrong. */
class DatabaseTlsTest {
    private static final String ANOTHER_AUTHORITY = "has no TLS certificate that this program trusts";
    private static final String ANOTHER_HOST = "has a TLS certificate for another host";

    @TempDir
    static Path directory;

    /** For localhost, not for its address. */
    private static TestCertificate right;

    private static TestCertificate wrong;

    @BeforeAll
    static void makeCertificates() throws Exception {
        right = TestCertificate.in(directory.resolve("right"), "dns:localhost");
        wrong = TestCertificate.in(directory.resolve("wrong"), "dns:localhost");
    }

    private static void assertWorks(String url) {
        try (LeaseStore store = new JdbcStoreProvider().create(url)) {
            assertThat(store.list("", "", 1)).isNotNull();
        }
    }

    private static void assertRefused(String url, String happened, String remedy) {
        assertNamed(url, happened, remedy).doesNotContain("rejects this user");
    }

    private static AbstractStringAssert<?> assertNamed(String url, String happened, String remedy) {
        return assertThatThrownBy(() -> new JdbcStoreProvider().create(url).close())
                .isInstanceOf(StoreUnavailableException.class)
                .message()
                .contains(happened, remedy, "nothing was changed")
                .doesNotContain("unknown whether", InnoDbServer.PASSWORD);
    }

    /**
     * The options of a connection that checks the certificate of the server.
     *
     * @param localhost the URL, with this name of the host
     * @param authority the option for the certificates to trust
     */
    private static void assertChecked(String localhost, String verify, String authority) {
        String checking = localhost + verify + "&" + authority + "=";
        String address = checking.replace("@localhost", "@127.0.0.1");
        assertWorks(checking + right.certificate());
        assertRefused(checking + wrong.certificate(), ANOTHER_AUTHORITY, authority);
        assertRefused(address + right.certificate(), ANOTHER_HOST, "Correct the host");
        assertRefused(checking + "/no/such/file.pem", "cannot be checked", authority);
    }

    @Nested
    class Postgres {
        @RegisterExtension
        static final PostgresServer SERVER = PostgresServer.SHARED;

        private static final String VERIFY = "?sslmode=verify-full";

        @Test
        void certificateMustBeTrustedAndFitTheHost() throws Exception {
            assertRefused(SERVER.url() + VERIFY + "&sslrootcert=" + right.certificate(), "does not offer TLS", "TLS");
            configure(
                    "alter system set ssl_cert_file = '" + right.certificate() + "'",
                    "alter system set ssl_key_file = '" + right.key() + "'",
                    "alter system set ssl_ca_file = '" + wrong.certificate() + "'",
                    "alter system set ssl = on",
                    "create role plain login",
                    "create role certified login");
            try {
                awaitTls();
                assertChecked(SERVER.url(), VERIFY, "sslrootcert");
                assertRulesOfTheServerAreExplained();
            } finally {
                configure("alter system reset all");
            }
        }

        /** A server may have rules for connections with TLS only, and may want a certificate of its client. */
        private void assertRulesOfTheServerAreExplained() throws Exception {
            Path rules = rules();
            String before = Files.readString(rules);
            Files.writeString(
                    rules,
                    "hostssl all plain all trust\nhostnossl all plain all reject\n"
                            + "hostssl all certified all trust clientcert=verify-ca\n" + before);
            configure();
            String checking = VERIFY + "&sslrootcert=" + right.certificate();
            assertRefused(url("plain", "?sslmode=disable"), "rules do not admit", "sslmode=verify-full");
            assertRefused(url("certified", checking), "wants a certificate of its client", "sslcert and sslkey");
            // The driver takes every key for one of RSA.
            String rsa = "&sslcert=" + wrong.certificate() + "&sslkey=" + wrong.key();
            assertRefused(url("certified", checking + rsa), "or its key cannot be read", "pemKeyAlgorithm=EC");
            assertRefused(
                    url("certified", checking + ofClient(wrong)), "does not give this user the right", "Grant it");
            Files.writeString(rules, before);
        }

        private static String ofClient(TestCertificate client) {
            return "&sslcert=" + client.certificate() + "&pemKeyAlgorithm=EC&sslkey=" + client.key();
        }

        private String url(String user, String options) {
            return SERVER.url().replace("postgres@", user + "@") + options;
        }

        private void configure(String... statements) throws Exception {
            try (Connection connection = SERVER.dataSource().getConnection();
                    Statement statement = connection.createStatement()) {
                for (String sql : statements) {
                    statement.execute(sql);
                }
                statement.execute("select pg_reload_conf()");
            }
        }

        private Path rules() throws Exception {
            try (Connection connection = SERVER.dataSource().getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("show hba_file")) {
                row.next();
                return Path.of(row.getString(1));
            }
        }

        /** The server reads its settings again in its own time. */
        private void awaitTls() throws Exception {
            for (int tries = 0; tries < 500; tries++) {
                try (Connection connection = SERVER.dataSource().getConnection();
                        Statement statement = connection.createStatement();
                        ResultSet row = statement.executeQuery("show ssl")) {
                    row.next();
                    if (row.getString(1).equals("on")) {
                        return;
                    }
                }
                Thread.sleep(20);
            }
            throw new AssertionError("the server did not switch TLS on");
        }
    }

    /** MariaDB and MySQL, whose driver is the same. */
    private static void assertInnoDb(InnoDbServer server, String withoutTls) throws Exception {
        String localhost = server.url().replace("@127.0.0.1", "@localhost");
        assertChecked(localhost, (localhost.contains("?") ? "&" : "?") + "sslMode=verify-full", "serverSslCert");
        try (Connection root = server.rootConnection();
                Statement statement = root.createStatement()) {
            statement.execute("set global require_secure_transport = on");
            try {
                assertNamed(localhost, withoutTls, "sslMode=verify-full");
            } finally {
                statement.execute("set global require_secure_transport = off");
            }
        }
    }

    @Nested
    @Requires("mariadbd")
    class MariaDb {
        @RegisterExtension
        static final MariaDbServer SERVER = MariaDbServer.SHARED;

        @Test
        void certificateMustBeTrustedAndFitTheHost() throws Exception {
            SERVER.restartWith("--skip-ssl");
            assertRefused(SERVER.url("sslMode", "verify-full"), "does not offer TLS", "Switch TLS on");
            SERVER.restartWith("--ssl-cert=" + right.certificate(), "--ssl-key=" + right.key());
            // It answers as if the password were wrong.
            assertInnoDb(SERVER, "rejects this user or password");
        }
    }

    @Nested
    @Requires(InstalledProgram.MYSQL)
    class MySql {
        @RegisterExtension
        static final MySqlServer SERVER = MySqlServer.SHARED;

        @Test
        void certificateMustBeTrustedAndFitTheHost() throws Exception {
            String own = SERVER.url("sslMode", "verify-full");
            assertRefused(own + "&serverSslCert=" + wrong.certificate(), ANOTHER_AUTHORITY, "serverSslCert");
            SERVER.asRoot(
                    "set global ssl_cert = '" + right.certificate() + "'",
                    "set global ssl_key = '" + right.key() + "'",
                    "set global ssl_ca = '" + right.certificate() + "'",
                    "alter instance reload tls");
            assertInnoDb(SERVER, "accepts only connections with TLS");
        }
    }
}
