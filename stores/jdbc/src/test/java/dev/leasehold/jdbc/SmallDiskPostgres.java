package dev.leasehold.jdbc;

import dev.leasehold.testkit.servers.LoopbackPort;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;

/**
 * A PostgreSQL whose data is on a small disk, in a mount namespace of its own. A shell starts it, obeys orders, and stops it
 * when it gets no more of them. The server does not run as root, so it gets a user namespace without one.
 */
final class SmallDiskPostgres implements AutoCloseable {
    private static final String SCRIPT =
            """
            bin=$1 disk=$2 port=$3
            mount -t tmpfs -o size=80m tmpfs "$disk" && cd "$disk" || exit 1
            unshare --user "$bin/initdb" -D data -U postgres -A trust -E UTF8 --no-locale --no-sync > /dev/null || exit 1
            unshare --user "$bin/postgres" -D data -p "$port" -c listen_addresses=127.0.0.1 -c unix_socket_directories= \
                -c shared_buffers=16MB >&2 < /dev/null &
            server=$!
            while read -r order; do
                case $order in
                    fill) cat /dev/zero > filler 2> /dev/null ;;
                    free) rm filler ;;
                esac
                echo done
            done
            kill -QUIT $server
            wait $server
            """;

    private final int port = LoopbackPort.free();
    private final Process shell;

    /** @param programs a running server, whose programs these are */
    SmallDiskPostgres(Path directory, PostgresServer programs) throws Exception {
        Path disk = Files.createDirectory(directory.resolve("disk"));
        Path log = directory.resolve("log");
        shell = new ProcessBuilder(
                        "unshare",
                        "--user",
                        "--map-root-user",
                        "--mount",
                        "sh",
                        "-c",
                        SCRIPT,
                        "sh",
                        programs(programs),
                        disk.toString(),
                        Integer.toString(port))
                .redirectError(log.toFile())
                .start();
        long began = System.nanoTime();
        while (!isUp()) {
            if (!shell.isAlive() || System.nanoTime() - began > TimeUnit.MINUTES.toNanos(2)) {
                close();
                throw new IOException("PostgreSQL did not start:\n" + Files.readString(log));
            }
            Thread.sleep(50);
        }
    }

    private static String programs(PostgresServer server) throws Exception {
        try (Connection connection = server.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select setting from pg_config() where name = 'BINDIR'")) {
            row.next();
            return row.getString(1);
        }
    }

    /** A server that is starting up accepts connections, and refuses to serve them. */
    private boolean isUp() {
        try (Connection connection =
                DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/postgres", "postgres", "")) {
            return connection.isValid(0);
        } catch (SQLException e) {
            return false;
        }
    }

    String url() {
        return "postgresql://postgres@127.0.0.1:" + port + "/postgres";
    }

    /** Leaves no room on the disk. */
    void fill() throws IOException {
        order("fill");
    }

    void free() throws IOException {
        order("free");
    }

    private void order(String order) throws IOException {
        shell.getOutputStream().write((order + "\n").getBytes(StandardCharsets.US_ASCII));
        shell.getOutputStream().flush();
        if (new String(shell.getInputStream().readNBytes(5), StandardCharsets.US_ASCII).isEmpty()) {
            throw new IOException("the shell has ended");
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        shell.getOutputStream().close();
        if (!shell.waitFor(30, TimeUnit.SECONDS)) {
            shell.descendants().forEach(ProcessHandle::destroyForcibly);
            shell.destroyForcibly();
        }
    }
}
