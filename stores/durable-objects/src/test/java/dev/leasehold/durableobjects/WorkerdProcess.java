package dev.leasehold.durableobjects;

import dev.leasehold.testkit.environment.InstalledProgram;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A Worker in its real runtime, on a free loopback port with its own directory; closing removes both. */
final class WorkerdProcess implements AutoCloseable {
    static final String KEY = "key-of-the-tests";

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final String SETTINGS =
            """
            using Workerd = import "/workerd/workerd.capnp";
            const config :Workerd.Config = (
              services = [
                (name = "main", worker = .worker),
                (name = "disk", disk = (path = "%s", writable = true)),
              ],
              sockets = [(name = "http", address = "127.0.0.1:%d", http = (), service = "main")],
            );
            const worker :Workerd.Worker = (
              modules = [%s],
              compatibilityDate = "2026-01-01",
              bindings = [
                (name = "%s", durableObjectNamespace = "%s"),
                (name = "LEASEHOLD_KEY", text = "%s"),
              ],
              durableObjectNamespaces = [(className = "%s", uniqueKey = "leasehold", enableSql = true)],
              durableObjectStorage = (localDisk = "disk"),
            );
            """;

    private final Path directory = Files.createTempDirectory("leasehold-workerd");
    private final int port;
    private Process process;

    private WorkerdProcess() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
    }

    static WorkerdProcess start() throws IOException, InterruptedException {
        return start(KEY);
    }

    static WorkerdProcess start(String key) throws IOException, InterruptedException {
        return start(key, "STORES", "LeaseholdStore", List.of("worker.js"), UnaryOperator.identity());
    }

    /** Starts another Worker than that of the stores: one class of objects, whose namespace it finds as OBJECTS. */
    static WorkerdProcess startOther(String className, List<String> modules) throws IOException, InterruptedException {
        return start(KEY, "OBJECTS", className, modules, UnaryOperator.identity());
    }

    /** @param change to the text of the Worker */
    static WorkerdProcess start(String key, UnaryOperator<String> change) throws IOException, InterruptedException {
        return start(key, "STORES", "LeaseholdStore", List.of("worker.js"), change);
    }

    private static WorkerdProcess start(
            String key, String binding, String className, List<String> modules, UnaryOperator<String> change)
            throws IOException, InterruptedException {
        WorkerdProcess server = new WorkerdProcess();
        Path disk = Files.createDirectory(server.directory.resolve("disk"));
        List<String> embedded = new ArrayList<>();
        for (String module : modules) {
            embedded.add("(name = \"%1$s\", esModule = embed \"%1$s\")".formatted(module));
            try (InputStream source = WorkerdProcess.class.getResourceAsStream(module)) {
                String text = new String(Objects.requireNonNull(source).readAllBytes(), StandardCharsets.UTF_8);
                Files.writeString(server.directory.resolve(module), change.apply(text));
            }
        }
        Files.writeString(
                server.directory.resolve("config.capnp"),
                SETTINGS.formatted(disk, server.port, String.join(", ", embedded), binding, className, key, className));
        server.startAgain();
        return server;
    }

    void startAgain() throws IOException, InterruptedException {
        process = new ProcessBuilder(
                        InstalledProgram.require(InstalledProgram.WORKERD).toString(),
                        "serve",
                        directory.resolve("config.capnp").toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        long began = System.nanoTime();
        while (System.nanoTime() - began < PATIENCE_NANOS && process.isAlive()) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return;
            } catch (IOException e) {
                Thread.sleep(10);
            }
        }
        throw new IOException("workerd did not start:\n" + Files.readString(directory.resolve("log")));
    }

    int port() {
        return port;
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
