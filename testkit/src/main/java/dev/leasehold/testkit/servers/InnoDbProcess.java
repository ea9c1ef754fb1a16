package dev.leasehold.testkit.servers;

import dev.leasehold.testkit.environment.InstalledProgram;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * MariaDB from the operating system's package, or MySQL with a copy of the empty database that {@code scripts/mysql-server}
 * made. Durability is as the server sets it by default. The user root has no password.
 */
public final class InnoDbProcess extends LoopbackServer {
    private static final long INSTALL_SECONDS = 120;

    private final List<String> program;
    private List<String> settings = List.of();

    private InnoDbProcess(String name, List<String> program) throws IOException {
        super(name);
        this.program = program;
    }

    /** @param first statements that the server runs before it answers */
    public static InnoDbProcess mariaDb(String first) throws IOException, InterruptedException {
        InnoDbProcess server = new InnoDbProcess(
                "mariadb", List.of(InstalledProgram.require("mariadbd").toString(), "--no-defaults"));
        // Two installations at the same time would use the same names for temporary tables.
        server.run(
                InstalledProgram.require("mariadb-install-db").toString(),
                "--no-defaults",
                user(),
                "--datadir=" + server.data(),
                "--tmpdir=" + server.scratch(),
                "--auth-root-authentication-method=normal",
                "--skip-test-db");
        server.startFirst(first);
        return server;
    }

    /**
     * What is switched off costs a second or memory.
     *
     * @param first statements that the server runs before it answers
     */
    public static InnoDbProcess mySql(String first) throws IOException, InterruptedException {
        Path mysqld = InstalledProgram.require(InstalledProgram.MYSQL);
        InnoDbProcess server = new InnoDbProcess(
                "mysql",
                List.of(
                        mysqld.toString(),
                        "--no-defaults",
                        "--basedir=" + mysqld.resolveSibling("usr"),
                        "--secure-file-priv=NULL",
                        "--mysqlx=OFF",
                        "--performance-schema=OFF",
                        "--innodb-redo-log-capacity=64M",
                        "--innodb-buffer-pool-size=32M"));
        server.scratch();
        server.run(
                "cp",
                "-r",
                mysqld.resolveSibling("data").toString(),
                server.data().toString());
        server.startFirst(first);
        return server;
    }

    private void startFirst(String first) throws IOException, InterruptedException {
        settings = List.of("--init-file=" + Files.writeString(directory().resolve("first.sql"), first));
        startFirst();
        settings = List.of();
    }

    /** Kills the server, and starts it with settings as on its command line. */
    public void restartWith(List<String> changed) throws IOException, InterruptedException {
        kill();
        settings = List.copyOf(changed);
        startAgain();
    }

    private static String user() {
        return "--user=" + System.getProperty("user.name");
    }

    private Path data() {
        return directory().resolve("data");
    }

    private Path scratch() throws IOException {
        return Files.createDirectories(directory().resolve("tmp"));
    }

    private void run(String... command) throws IOException, InterruptedException {
        Path log = directory().resolve("install-log");
        Process installing = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (!installing.waitFor(INSTALL_SECONDS, TimeUnit.SECONDS) || installing.exitValue() != 0) {
            installing.destroyForcibly();
            throw new IOException(command[0] + " failed: " + Files.readString(log));
        }
    }

    @Override
    protected List<String> command() throws IOException {
        List<String> command = new ArrayList<>(program);
        command.addAll(settings);
        command.addAll(List.of(
                user(),
                "--datadir=" + data(),
                "--tmpdir=" + scratch(),
                "--port=" + port(),
                "--bind-address=127.0.0.1",
                "--socket=" + directory().resolve("s"),
                "--pid-file=" + directory().resolve("pid")));
        return command;
    }

    /** The server speaks first. */
    @Override
    protected boolean isReady(Socket connection) throws IOException {
        return connection.getInputStream().read() >= 0;
    }
}
