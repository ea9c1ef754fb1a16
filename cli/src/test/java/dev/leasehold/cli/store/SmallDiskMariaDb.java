package dev.leasehold.cli.store;

import dev.leasehold.testkit.environment.InstalledProgram;
import dev.leasehold.testkit.servers.LoopbackPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A MariaDB whose database is on a small disk, in a mount namespace of its own; its log and its own tables have room, or it would end.
 * A shell starts it, fills the disk when it is told to, and stops it when it gets no more orders. The server does not run as
 * root, so it gets a user namespace without one.
 */
final class SmallDiskMariaDb implements AutoCloseable {
    private static final String SCRIPT =
            """
            install=$1 server=$2 directory=$3 port=$4
            mkdir "$directory/tmp" && cd "$directory" || exit 1
            unshare --user "$install" --no-defaults "--datadir=$directory/data" "--tmpdir=$directory/tmp" \
                --auth-root-authentication-method=normal --skip-test-db >&2 || exit 1
            mkdir -p data/leases && mount -t tmpfs -o size=2m tmpfs data/leases || exit 1
            unshare --user "$server" --no-defaults "--datadir=$directory/data" "--tmpdir=$directory/tmp" "--port=$port" \
                --bind-address=127.0.0.1 "--socket=$directory/s" "--pid-file=$directory/pid" >&2 < /dev/null &
            server=$!
            if read -r order; then
                cat /dev/zero > data/leases/filler 2> /dev/null
                echo full
                read -r order
            fi
            kill -KILL $server
            wait $server
            """;

    private final int port = LoopbackPort.free();
    private final Process shell;

    /** @param directory empty, with a short path: that of a socket has few characters */
    SmallDiskMariaDb(Path directory) throws IOException, InterruptedException {
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
                        InstalledProgram.require("mariadb-install-db").toString(),
                        InstalledProgram.require("mariadbd").toString(),
                        directory.toString(),
                        Integer.toString(port))
                .redirectError(log.toFile())
                .start();
        long began = System.nanoTime();
        while (!isUp()) {
            if (!shell.isAlive() || System.nanoTime() - began > TimeUnit.MINUTES.toNanos(2)) {
                close();
                throw new IOException("MariaDB did not start:\n" + Files.readString(log));
            }
            Thread.sleep(50);
        }
    }

    /** The server speaks first. */
    private boolean isUp() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.getInputStream().read() >= 0;
        } catch (IOException e) {
            return false;
        }
    }

    String url() {
        return "mariadb://root@127.0.0.1:" + port + "/leases";
    }

    /** Leaves no room on the disk of the database. */
    void fillDisk() throws IOException {
        shell.getOutputStream().write("fill\n".getBytes(StandardCharsets.US_ASCII));
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
