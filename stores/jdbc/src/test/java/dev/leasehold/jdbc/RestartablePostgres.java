package dev.leasehold.jdbc;

import dev.leasehold.testkit.servers.LoopbackPort;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server on a fixed port that can be killed and restarted with its data. */
final class RestartablePostgres implements AutoCloseable {
    private static final int MAX_TRIES = 50;

    private final Path directory;
    private final int port;
    private EmbeddedPostgres server;

    private RestartablePostgres(Path directory, int port) {
        this.directory = directory;
        this.port = port;
    }

    static RestartablePostgres start(Path directory) throws Exception {
        RestartablePostgres made = new RestartablePostgres(directory, LoopbackPort.free());
        made.start();
        return made;
    }

    int port() {
        return port;
    }

    /** From now on only data that a commit waits for is written to disk. */
    void freezeWalWriter() throws Exception {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("select pid from pg_stat_activity where backend_type = 'walwriter'")) {
            row.next();
            new ProcessBuilder("kill", "-STOP", row.getString(1)).start().waitFor(20, TimeUnit.SECONDS);
        }
    }

    /**
     * Kills the server without a shutdown: nothing more is written, and connections break at any
     * point.
     */
    void killAndStart() throws Exception {
        String pid = Files.readAllLines(directory.resolve("postmaster.pid")).get(0);
        ProcessHandle postmaster = ProcessHandle.of(Long.parseLong(pid.strip())).orElseThrow();
        List<ProcessHandle> children = postmaster.descendants().toList();
        postmaster.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
        postmaster.onExit().get(20, TimeUnit.SECONDS);
        server.close();
        startAgain();
    }

    /**
     * The killed server's children take a moment to exit, and until then hold its shared memory.
     */
    private void startAgain() throws Exception {
        for (int tries = 1; ; tries++) {
            try {
                start();
                return;
            } catch (IOException | IllegalStateException e) {
                if (tries == MAX_TRIES) {
                    throw e;
                }
                Thread.sleep(200);
            }
        }
    }

    private void start() throws IOException {
        server = PostgresServer.builder()
                .setPort(port)
                .setDataDirectory(directory)
                .setCleanDataDirectory(false)
                .start();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
