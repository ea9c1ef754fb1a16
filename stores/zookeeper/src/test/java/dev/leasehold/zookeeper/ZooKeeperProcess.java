package dev.leasehold.zookeeper;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A real server in a process of its own, on a free loopback port, with its own directory; closing removes both. */
final class ZooKeeperProcess implements AutoCloseable {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(90);

    private final Path directory;
    private final int port;
    private final String more;
    private Process process;

    private ZooKeeperProcess(Path directory, int port, String more) {
        this.directory = directory;
        this.port = port;
        this.more = more;
    }

    static ZooKeeperProcess start() throws IOException, InterruptedException {
        return start("");
    }

    /** @param more lines for the server's settings */
    static ZooKeeperProcess start(String more) throws IOException, InterruptedException {
        ZooKeeperProcess server =
                new ZooKeeperProcess(Files.createTempDirectory("leasehold-zookeeper"), freePort(), more);
        try {
            server.startAgain();
        } catch (IOException e) {
            server.close();
            throw e;
        }
        return server;
    }

    void startAgain() throws IOException, InterruptedException {
        Path settings = directory.resolve("zoo.cfg");
        Files.writeString(
                settings,
                "tickTime=500\ndataDir=" + directory.resolve("data") + "\nclientPort=" + port
                        + "\nclientPortAddress=127.0.0.1\nadmin.enableServer=false\n4lw.commands.whitelist=ruok,srvr,wchs\nmaxClientCnxns=0\n"
                        + more);
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "org.apache.zookeeper.server.ZooKeeperServerMain",
                        settings.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        awaitPort();
    }

    private void awaitPort() throws IOException, InterruptedException {
        long began = System.nanoTime();
        while (System.nanoTime() - began < PATIENCE_NANOS && process.isAlive()) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.getOutputStream().write("ruok".getBytes(StandardCharsets.US_ASCII));
                if (new String(socket.getInputStream().readNBytes(4), StandardCharsets.US_ASCII).equals("imok")) {
                    return;
                }
            } catch (IOException e) {
                // The server is not up yet.
            }
            Thread.sleep(10);
        }
        throw new IOException("ZooKeeper did not start:\n" + Files.readString(directory.resolve("log")));
    }

    /** Simulates a crash. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    int port() {
        return port;
    }

    String url() {
        return url("/team/leases");
    }

    String url(String path) {
        return "zookeeper://127.0.0.1:" + port + path + "?timeout=30s";
    }

    @Override
    public void close() throws IOException {
        try {
            if (process != null) {
                kill();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
