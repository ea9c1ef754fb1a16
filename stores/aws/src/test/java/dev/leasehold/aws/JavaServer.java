package dev.leasehold.aws;

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

/** A server on a free loopback port, in a process and a directory of its own; closing removes both. */
final class JavaServer implements AutoCloseable {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Path directory = Files.createTempDirectory("leasehold-aws");
    private final int port;
    private final Command command;
    private Process process;

    /** Makes the main class and the arguments, and writes what the server needs into its directory. */
    interface Command {
        List<String> of(Path directory, int port) throws IOException;
    }

    private JavaServer(Command command) throws IOException {
        this.command = command;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            this.port = socket.getLocalPort();
        }
    }

    static JavaServer start(Command command) throws IOException, InterruptedException {
        JavaServer server = new JavaServer(command);
        server.startAgain();
        return server;
    }

    void startAgain() throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx200m",
                "-cp",
                System.getProperty("java.class.path")));
        line.addAll(command.of(directory, port));
        process = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        long began = System.nanoTime();
        while (System.nanoTime() - began < PATIENCE_NANOS && process.isAlive()) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return;
            } catch (IOException e) {
                Thread.sleep(20);
            }
        }
        throw new IOException("the server did not start:\n" + Files.readString(directory.resolve("log")));
    }

    int port() {
        return port;
    }

    Path directory() {
        return directory;
    }

    /** Simulates a crash: the server cannot save anything. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    @Override
    public void close() throws IOException {
        try {
            kill();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
    }
}
