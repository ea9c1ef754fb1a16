package dev.leasehold.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.testkit.environment.Requires;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The mistakes that people make with stores and command lines, with real servers. Each message says what happened and what
 * to do, in one line without a stack trace, and has no secret.
 */
@Requires("mariadbd")
@Timeout(300)
class MistakesTest {
    private static final String NOWHERE = "no-such-host.invalid";
    private static final String WRONG = Mistake.WRONG_PASSWORD;
    private static final int USAGE = ExitCode.USAGE;
    private static final int UNAVAILABLE = ExitCode.UNAVAILABLE;

    @RegisterExtension
    static final ServerStore POSTGRESQL = ServerStore.POSTGRESQL;

    @RegisterExtension
    static final ServerStore REDIS = ServerStore.REDIS;

    @TempDir
    static Path directory;

    private static GuardedServers servers;

    @BeforeAll
    static void start() throws Exception {
        servers = new GuardedServers();
        Files.writeString(directory.resolve("password"), GuardedServers.PASSWORD);
    }

    @AfterAll
    static void stop() throws Exception {
        servers.close();
    }

    private static Mistake wrong(String title, String store, int code, String what, String remedy) {
        return Mistake.of(title, store, code, what, remedy);
    }

    static Stream<Mistake> mistakes() throws Exception {
        return Stream.of(typing(), urls(), places(), passwords(), rights(), servers())
                .flatMap(each -> each);
    }

    private static Stream<Mistake> typing() throws Exception {
        Path jobs = Files.writeString(
                directory.resolve("jobs.yaml"), "jobs: {a: {schedule: '@daily', command: [no-such-program, x]}}");
        String store = "file:" + directory.resolve("no-store");
        return Stream.of(
                new Mistake("command", store, List.of("staus"), USAGE, "unknown command", "did you mean status?"),
                new Mistake("option", store, List.of("status", "--wathc"), USAGE, "option", "did you mean --watch?"),
                new Mistake(
                        "program of a job",
                        store,
                        List.of("up", "--check", "-f", jobs.toString()),
                        USAGE,
                        "jobs.a.command",
                        "'no-such-program' was not found on the PATH"),
                wrong("no store", store, UNAVAILABLE, "there is no store", "leasehold store init"));
    }

    private static Stream<Mistake> urls() {
        return Stream.of(
                wrong("scheme", "postgresqll://h/db", USAGE, "unknown scheme", "did you mean postgresql?"),
                wrong(
                        "JDBC",
                        "jdbc:postgresql://me:" + WRONG + "@db:5432/leases?user=me&password=" + WRONG,
                        USAGE,
                        "is a JDBC URL",
                        "write postgresql://USER@db:5432/leases,"),
                wrong("JDBC of MySQL", "jdbc:mysql://db/l", USAGE, "is a JDBC URL", "write mysql://USER@db/l,"),
                wrong("JDBC of H2", "jdbc:h2:file:/x;PASSWORD=" + WRONG, USAGE, "is a JDBC URL", "write h2:/x"),
                wrong("JDBC of another", "jdbc:oracle:thin:@h", USAGE, "is a JDBC URL", "write that of a store"),
                wrong("half a bracket", "mysql://me@[::1/db", USAGE, "an address in brackets", "[::1]"),
                wrong("no certificate", "natss://h/b?ca=/dev/null", USAGE, "no certificate in it", "/dev/null"),
                wrong("no certificate", "zookeepers://h/b?ca=/dev/null", USAGE, "no certificate in it", "/dev/null"),
                wrong("no database", "postgresql://host", USAGE, "is incomplete", "write postgresql://"),
                wrong("a word for an index", "redis://h/x", USAGE, "the database is not a number", "Write redis://"),
                wrong("option", POSTGRESQL.url() + "?sslmod=x", USAGE, "unknown parameter 'sslmod'", "did you mean"));
    }

    /** Nobody listens there, or something else does. */
    private static Stream<Mistake> places() {
        return Stream.of(
                wrong("TLS at PostgreSQL", POSTGRESQL.url() + "?sslmode=require", UNAVAILABLE, "TLS", "remove the TLS"),
                wrong("TLS at Redis", tls(REDIS.url()), UNAVAILABLE, "does not speak TLS", "Use redis://"),
                wrong("TLS at Valkey", valkey(tls(REDIS.url())), UNAVAILABLE, "does not speak TLS", "Use valkey://"),
                wrong("index", indexOf(REDIS.url()), UNAVAILABLE, "has no database 99", "Correct the number"),
                wrong("database", POSTGRESQL.url() + "x", UNAVAILABLE, "has no such database", "correct its name"),
                wrong(
                        "PostgreSQL elsewhere",
                        "postgresql://u@localhost:1/d",
                        UNAVAILABLE,
                        "cannot be reached",
                        "Check"),
                wrong("MariaDB elsewhere", "mariadb://u@localhost:1/d", UNAVAILABLE, "cannot be reached", "Check"),
                wrong("Redis elsewhere", "redis://localhost:1", UNAVAILABLE, "cannot be reached", "Check"),
                wrong(
                        "Valkey elsewhere",
                        "valkey://localhost:1",
                        UNAVAILABLE,
                        "Valkey at valkey://localhost:1 cannot be reached",
                        "Check that the server is running"),
                wrong("MySQL elsewhere", "mysql://u@localhost:1/d", UNAVAILABLE, "cannot be reached", "Check"),
                wrong("server elsewhere", "http://localhost:1", UNAVAILABLE, "is not reachable", "Check that it is"));
    }

    private static String tls(String url) {
        return url.replace("redis:", "rediss:");
    }

    /** Redis speaks the same protocol. */
    private static String valkey(String url) {
        return url.replace("redis", "valkey");
    }

    private static String indexOf(String url) {
        return url.substring(0, url.lastIndexOf('/')) + "/99";
    }

    private static Stream<Mistake> passwords() {
        String rejects = "rejects this user or password";
        return Stream.of(
                wrong("PostgreSQL", servers.postgresql("carol:" + WRONG), UNAVAILABLE, rejects, "docs/credentials.md"),
                wrong("MariaDB", servers.mariaDb("carol:" + WRONG), UNAVAILABLE, rejects, "docs/credentials.md"),
                wrong("Redis", servers.redis(":" + WRONG + "@"), UNAVAILABLE, rejects, "Correct the URL"),
                wrong("Valkey", valkey(servers.redis(":" + WRONG + "@")), UNAVAILABLE, rejects, "Correct the URL"),
                wrong("PostgreSQL, none", servers.postgresql("carol"), UNAVAILABLE, "none was given", "PGPASSWORD"),
                wrong("MariaDB, none", servers.mariaDb("carol"), UNAVAILABLE, "none was given", "?password-file="),
                wrong("Redis, none", servers.redis(""), UNAVAILABLE, "requires a password", "REDISCLI_AUTH"),
                wrong("Valkey, none", valkey(servers.redis("")), UNAVAILABLE, "a password", "valkey://:password@host"),
                wrong("Redis, not needed", unneeded(), UNAVAILABLE, "has no password set", "Leave it out of the URL"),
                wrong(
                        "no file",
                        servers.redis("") + "?password-file=/no/file",
                        USAGE,
                        "password file",
                        "does not exist"));
    }

    private static Stream<Mistake> rights() {
        String withFile = "?password-file=" + directory.resolve("password");
        return Stream.of(
                new Mistake(
                        "rights",
                        servers.postgresql("carol") + withFile,
                        List.of("store", "init"),
                        UNAVAILABLE,
                        "does not give this user the right",
                        "Grant it"),
                wrong("rights of MariaDB", servers.mariaDb("carol") + withFile, UNAVAILABLE, "the right", "Grant it"),
                wrong(
                        "rights of Redis",
                        servers.redis("carol@") + withFile,
                        UNAVAILABLE,
                        "denies this user a command",
                        "~{leasehold:default}:*"));
    }

    private static String unneeded() {
        return REDIS.url().replace("redis://", "redis://:" + WRONG + "@");
    }

    private static Stream<Mistake> servers() {
        String none = "no host has th";
        return Stream.of(
                        "postgresql://u@HOST/d",
                        "mariadb://u@HOST/d",
                        "mysql://u@HOST/d",
                        "redis://HOST",
                        "valkey://HOST",
                        "http://HOST")
                .map(url -> wrong(url, url.replace("HOST", NOWHERE), UNAVAILABLE, none, "Correct the host"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void everyMistakeIsExplained(Mistake mistake) {
        Result result = new CliRunner()
                .env("LEASEHOLD_STORE", mistake.store())
                .env("HOME", directory.toString())
                .env("PATH", System.getenv("PATH"))
                .run(mistake.command().toArray(String[]::new));

        mistake.assertExplained(result);
        if (mistake.store().contains(NOWHERE)) {
            assertThat(result.err()).contains(NOWHERE).doesNotContain("cannot be reached");
        }
    }

    /** Another process, because the password comes from the environment of the program. */
    @Test
    void aPasswordOfTheEnvironmentIsNamedAsSuch() {
        Result result = new CliRunner()
                .withDrivers()
                .env("LEASEHOLD_STORE", REDIS.url())
                .env("HOME", directory.toString())
                .env("REDISCLI_AUTH", WRONG)
                .process("status");
        Mistake.of(UNAVAILABLE, "has no password set", "in REDISCLI_AUTH, a variable of the environment")
                .assertExplained(result);
        Result rejected = new CliRunner()
                .withDrivers()
                .env("LEASEHOLD_STORE", servers.redis(""))
                .env("HOME", directory.toString())
                .env("REDISCLI_AUTH", WRONG)
                .process("status");
        Mistake.of(UNAVAILABLE, "rejects this user or password", "REDISCLI_AUTH")
                .assertExplained(rejected);
    }

    /** As psql does. Each is a process, because the driver reads its environment. */
    @Test
    void passwordFileAndServiceOfPostgresqlAreFound() throws Exception {
        String port = servers.postgresql("carol").replaceAll(".*:([0-9]+)/.*", "$1");
        Path services = Files.writeString(
                directory.resolve("services"),
                "[leases]\nhost=localhost\nport=" + port + "\ndbname=postgres\nuser=carol\n");
        Path passwords = Files.writeString(
                directory.resolve("passwords"), "localhost:" + port + ":postgres:carol:" + GuardedServers.PASSWORD);
        CliRunner cli = new CliRunner()
                .withDrivers()
                .env("LEASEHOLD_STORE", "postgresql://")
                .env("HOME", directory.toString())
                .env("PGPASSFILE", passwords.toString())
                .env("PGSERVICEFILE", services.toString());
        Mistake.of(UNAVAILABLE, "contains no store", "leasehold store init")
                .assertExplained(cli.env("PGSERVICE", "leases").process("status"));
        Mistake.of(UNAVAILABLE, "service file has no such service", "PGSERVICEFILE")
                .assertExplained(cli.env("PGSERVICE", "other").process("status"));
    }

    @Test
    void aMovedStoreSaysWhereItIs() {
        String from = "file:" + directory.resolve("from");
        String to = "file:" + directory.resolve("to");
        CliRunner cli = new CliRunner().env("HOME", directory.toString());
        assertThat(cli.run("store", "init", from).code()).isZero();
        assertThat(cli.run("store", "migrate", "--from", from, "--to", to).code())
                .isZero();
        Mistake.of(UNAVAILABLE, "this store was moved to " + to, "Use that URL")
                .assertExplained(cli.run("status", "--store", from));
    }

    /** Others may have seen it, whether or not the store can be opened. */
    @Test
    void thePasswordOnACommandLineIsWarnedAboutFirst() {
        String url = servers.redis(":" + WRONG + "@");
        for (List<String> command : List.of(
                List.of("status", "--store", url),
                List.of("acquire", "a", "--store", url),
                List.of("doctor", "--store", url),
                List.of("store", "init", url))) {
            Result result = new CliRunner().env("HOME", directory.toString()).run(command.toArray(String[]::new));

            assertThat(result.code()).isEqualTo(UNAVAILABLE);
            assertThat(result.err().lines().toList())
                    .as(command.toString())
                    .hasSize(2)
                    .satisfiesExactly(
                            first -> assertThat(first).contains("can see the password in", "?password-file=/path"),
                            second -> assertThat(second).contains("rejects this user or password"));
            assertThat(result.err()).doesNotContain(WRONG);
        }
    }
}
