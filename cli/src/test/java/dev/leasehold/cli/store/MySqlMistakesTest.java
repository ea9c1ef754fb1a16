package dev.leasehold.cli.store;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.testkit.environment.InstalledProgram;
import dev.leasehold.testkit.environment.Requires;
import dev.leasehold.testkit.servers.InnoDbProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The mistakes that people make with MySQL. {@link MistakesTest} has those with other stores. */
@Requires(InstalledProgram.MYSQL)
@Timeout(300)
class MySqlMistakesTest {
    private static final String PASSWORD = GuardedServers.PASSWORD;
    private static final int UNAVAILABLE = ExitCode.UNAVAILABLE;

    @TempDir
    static Path directory;

    private static InnoDbProcess server;
    private static String fromFile;

    /** Carol may log in, dora may read, and eve never logs in: the server would remember her. */
    @BeforeAll
    static void start() throws Exception {
        server = InnoDbProcess.mySql(
                """
                create database leases;
                create user carol identified by '%1$s';
                create user dora identified by '%1$s';
                create user eve identified by '%1$s';
                grant select on leases.* to dora;
                """
                        .formatted(PASSWORD));
        Path file = Files.writeString(directory.resolve("password"), PASSWORD);
        fromFile = "&password-file=" + file;
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    /** Without TLS, the driver gets the server's key from the server, to send it the password. */
    private static String url(String user, String database) {
        return "mysql://" + user + "@127.0.0.1:" + server.port() + "/" + database + "?allowPublicKeyRetrieval=true";
    }

    static Stream<Mistake> mistakes() {
        String plain = url("eve:" + PASSWORD, "leases").replaceAll("\\?.*", "");
        String wrong = url("carol:" + Mistake.WRONG_PASSWORD, "leases");
        String right = "does not give this user the right";
        return Stream.of(
                Mistake.of("password", wrong, UNAVAILABLE, "rejects this user or password", "docs/credentials.md"),
                Mistake.of("no password", url("carol", "leases"), UNAVAILABLE, "none was given", "MYSQL_PWD"),
                Mistake.of(
                        "no key", plain, UNAVAILABLE, "needs TLS, or its public key", "allowPublicKeyRetrieval=true"),
                Mistake.of("database", url("root", "leasse"), UNAVAILABLE, "has no such database", "correct its name"),
                Mistake.of("rights", url("carol", "leases") + fromFile, UNAVAILABLE, right, "Grant it"),
                new Mistake(
                        "rights to create",
                        url("dora", "leases") + fromFile,
                        List.of("store", "init"),
                        UNAVAILABLE,
                        right,
                        "Grant it"),
                Mistake.of(
                        "no store", url("root", "leases"), UNAVAILABLE, "contains no store", "leasehold store init"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void everyMistakeIsExplained(Mistake mistake) {
        mistake.assertExplained(new CliRunner()
                .withDrivers()
                .env("LEASEHOLD_STORE", mistake.store())
                .env("HOME", directory.toString())
                .env("PATH", System.getenv("PATH"))
                .run(mistake.command().toArray(String[]::new)));
    }
}
