package dev.leasehold.nats;

import dev.leasehold.testkit.environment.InstalledProgram;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A real server on a free loopback port, with its own directory; closing removes both. */
final class NatsProcess implements AutoCloseable {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Path directory;
    private final int port;
    private final List<String> settings;
    private Process process;

    private NatsProcess(Path directory, int port, List<String> settings) {
        this.directory = directory;
        this.port = port;
        this.settings = settings;
    }

    /** @param settings as on the server's command line */
    static NatsProcess start(String... settings) throws IOException, InterruptedException {
        NatsProcess server =
                new NatsProcess(Files.createTempDirectory("leasehold-nats"), freePort(), List.of(settings));
        try {
            server.startAgain();
        } catch (IOException e) {
            server.close();
            throw e;
        }
        return server;
    }

    void startAgain() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                InstalledProgram.require("nats-server").toString(),
                "-js",
                "-a",
                "127.0.0.1",
                "-p",
                Integer.toString(port),
                "-sd",
                directory.resolve("data").toString()));
        command.addAll(settings);
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        awaitPort();
    }

    private void awaitPort() throws IOException, InterruptedException {
        long began = System.nanoTime();
        while (System.nanoTime() - began < PATIENCE_NANOS && process.isAlive()) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                // The server introduces itself when it is ready.
                if (socket.getInputStream().read() == 'I') {
                    return;
                }
            } catch (IOException e) {
                // The server is not up yet.
            }
            Thread.sleep(10);
        }
        throw new IOException("NATS did not start:\n" + Files.readString(directory.resolve("log")));
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
        return url("leases");
    }

    String url(String bucket) {
        return "nats://127.0.0.1:" + port + "/" + bucket + "?timeout=20s";
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
