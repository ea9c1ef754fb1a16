package dev.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.testkit.environment.Requires;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Requires("mariadbd")
class JdbcUrlTest {
    @RegisterExtension
    static final PostgresServer POSTGRES = PostgresServer.SHARED;

    @RegisterExtension
    static final MariaDbServer MARIADB = MariaDbServer.SHARED;

    @Test
    void userAndPasswordAreNotInTheUrl() {
        JdbcUrl url = JdbcUrl.parse("postgresql://bob:p%40ss%2Fw+rd@db.example:5433/leases?sslmode=require");
        assertThat(url.url()).isEqualTo("jdbc:postgresql://db.example:5433/leases");
        assertThat(url.properties())
                .containsEntry("user", "bob")
                .containsEntry("password", "p@ss/w+rd")
                .containsEntry("sslmode", "require");
        assertThat(url.toString()).doesNotContain("p@ss");
    }

    @Test
    void everySchemeBecomesItsJdbcUrl() {
        assertThat(JdbcUrl.parse("postgres://a,b:5433/x").url()).isEqualTo("jdbc:postgresql://a,b:5433/x");
        assertThat(JdbcUrl.parse("mariadb://u@h/x").url()).isEqualTo("jdbc:mariadb://h/x");
        assertThat(JdbcUrl.parse("mysql://[::1]:3306/x").url()).isEqualTo("jdbc:mariadb://[::1]:3306/x");
        assertThat(JdbcUrl.parse("sqlite:/a/b.db").url()).isEqualTo("jdbc:sqlite:/a/b.db");
        assertThat(JdbcUrl.parse("sqlite:///a/b.db").url()).isEqualTo("jdbc:sqlite:/a/b.db");
        assertThat(JdbcUrl.parse("h2:mem:x").url()).isEqualTo("jdbc:h2:mem:x;DB_CLOSE_DELAY=-1");
        assertThat(JdbcUrl.parse("h2:/a/b?user=me").url())
                .isEqualTo("jdbc:h2:file:/a/b;AUTO_SERVER=TRUE;TRACE_LEVEL_FILE=0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgresql:hunter2",
                "postgresql://bob:hunter2@",
                "postgresql://bob:hunter2@host",
                "postgresql://bob:hunter2@host/",
                "postgresql://bob:hunter2@host:port/db",
                "postgresql://bob:hunter2@host:99999/db",
                "postgresql://bob:hunter2@host/db?password-file=/dev/zero",
                "postgresql://bob:hunter2%@host/db",
                "postgresql://bob:hunter2@host/db?hunter2",
                "mariadb://bob:hunter2@/db",
                "mysql://bob:hunter2@host/db/more",
                "sqlite:",
                "sqlite::memory:",
                "h2:",
                "h2:mem:x;INIT=hunter2"
            })
    void malformedUrlIsReportedWithoutThePassword(String url) {
        assertThatThrownBy(() -> new JdbcStoreProvider().open(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("store URL")
                .message()
                .doesNotContain("hunter2");
    }

    @Test
    void wrongPasswordIsNotShownAnywhere() {
        assertSecret(MARIADB.url().replace("worker:s3cret", "worker:hunter2"), "hunter2");
        assertSecret(MARIADB.url().replace("/leases", "/leases%20nowhere"), MariaDbServer.PASSWORD);
        assertSecret(POSTGRES.url().replace("postgres@", "nobody:hunter2@"), "hunter2");
        assertSecret("postgresql://bob:hunter2@localhost:1/db", "hunter2");
        assertSecret("mariadb://bob:hunter2@localhost:1/db?sslMode=hunter2", "hunter2");
    }

    private static void assertSecret(String url, String secret) {
        assertThatThrownBy(() -> new JdbcStoreProvider().open(url))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("nothing was changed")
                .satisfies(e -> {
                    StringWriter trace = new StringWriter();
                    e.printStackTrace(new PrintWriter(trace));
                    assertThat(trace.toString()).doesNotContain(secret);
                });
    }
}
