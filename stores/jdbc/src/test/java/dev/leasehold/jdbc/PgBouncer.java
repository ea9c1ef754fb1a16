package dev.leasehold.jdbc;

import dev.leasehold.testkit.environment.InstalledProgram;
import dev.leasehold.testkit.servers.LoopbackPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;

/** A real PgBouncer from the operating system's package, on loopback, in front of a PostgreSQL. */
final class PgBouncer implements AutoCloseable {
    private static final int START_TRIES = 300;

    private final Path directory;
    private final int port;
    private final Process process;

    /** @param mode {@code transaction} or {@code session} */
    PgBouncer(String mode, int serverPort, int poolSize) throws Exception {
        directory = Files.createTempDirectory("leasehold-pgbouncer");
        // PgBouncer refuses to run as root, and the user nobody must be able to read the directory.
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        port = LoopbackPort.free();
        boolean root = System.getProperty("user.name").equals("root");
        Path settings = directory.resolve("pgbouncer.ini");
        Files.writeString(
                settings,
                """
                [databases]
                * = host=127.0.0.1 port=%d user=postgres
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = any
                pool_mode = %s
                default_pool_size = %d
                ignore_startup_parameters = extra_float_digits
                %s
                """
                        .formatted(serverPort, port, mode, poolSize, root ? "user = nobody" : ""));
        process = new ProcessBuilder(InstalledProgram.require("pgbouncer").toString(), settings.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        awaitStart();
    }

    String url() {
        return "postgresql://postgres@127.0.0.1:" + port + "/postgres";
    }

    private void awaitStart() throws Exception {
        for (int tries = 0; tries < START_TRIES && process.isAlive(); tries++) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
                return;
            } catch (IOException e) {
                Thread.sleep(100);
            }
        }
        String log = Files.readString(directory.resolve("log"));
        close();
        throw new IllegalStateException("pgbouncer does not answer: " + log);
    }

    @Override
    public void close() throws Exception {
        process.destroyForcibly();
        process.waitFor(20, TimeUnit.SECONDS);
        SqliteServer.deleteTree(directory);
    }
}
