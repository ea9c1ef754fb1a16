package dev.leasehold.redis;

import dev.leasehold.testkit.environment.InstalledProgram;
import dev.leasehold.testkit.servers.LoopbackPort;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import redis.embedded.core.ExecutableProvider;

/**
 * A real server on a free loopback port with its own directory; closing removes both. The binary
 * comes with the tests; {@code -Dredis.server=/usr/bin/redis-server} tests another version.
 */
final class RedisProcess implements AutoCloseable {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final List<String> program;
    private final Path directory;
    private final int port;
    private final List<String> settings;
    private Process process;

    private RedisProcess(List<String> program, Path directory, int port, List<String> settings) {
        this.program = program;
        this.directory = directory;
        this.port = port;
        this.settings = settings;
    }

    /** A server of Valkey, which speaks the same protocol. */
    static RedisProcess startValkey(String... settings) throws IOException, InterruptedException {
        return start(List.of(InstalledProgram.require(InstalledProgram.VALKEY).toString()), settings);
    }

    /** @param settings as on the server's command line: {@code "--appendonly", "yes"} */
    static RedisProcess start(String... settings) throws IOException, InterruptedException {
        return start(List.of(binary().toString()), settings);
    }

    /** The server's append-only file is on a file system of a megabyte, in a mount namespace of its own. */
    static RedisProcess startOnASmallDisk(Path disk) throws IOException, InterruptedException {
        String script = "mount -t tmpfs -o size=1m tmpfs \"$0\" && exec \"$@\" --dir \"$0\" --appendonly yes";
        return start(List.of(
                "unshare",
                "--user",
                "--map-root-user",
                "--mount",
                "sh",
                "-c",
                script,
                disk.toString(),
                binary().toString()));
    }

    private static RedisProcess start(List<String> program, String... settings)
            throws IOException, InterruptedException {
        RedisProcess server = new RedisProcess(
                program, Files.createTempDirectory("leasehold-redis"), LoopbackPort.free(), List.of(settings));
        try {
            server.startAgain();
        } catch (IOException e) {
            server.close();
            throw e;
        }
        return server;
    }

    void startAgain() throws IOException, InterruptedException {
        boolean tls = settings.contains("--tls-cert-file");
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of(tls ? "--tls-port" : "--port", Integer.toString(port), "--bind", "127.0.0.1"));
        command.addAll(List.of("--dir", directory.toString(), "--save", ""));
        if (tls) {
            command.addAll(List.of("--port", "0"));
        }
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
                if (settings.contains("--tls-cert-file") || isLoaded(socket)) {
                    return;
                }
            } catch (IOException e) {
                // The server is not up yet.
            }
            Thread.sleep(5);
        }
        throw new IOException("Redis did not start:\n" + Files.readString(directory.resolve("log")));
    }

    /** The server accepts connections before it has loaded its data. */
    private static boolean isLoaded(Socket socket) throws IOException {
        socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.UTF_8));
        String answer = new String(socket.getInputStream().readNBytes(5), StandardCharsets.UTF_8);
        return answer.equals("+PONG") || answer.equals("-NOAU");
    }

    /** Simulates a crash: the server cannot save anything. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    int port() {
        return port;
    }

    String url() {
        return "redis://127.0.0.1:" + port;
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

    private static synchronized Path binary() throws IOException {
        String other = System.getProperty("redis.server");
        if (other != null) {
            return Path.of(other);
        }
        if (unpacked == null) {
            Path directory = Files.createTempDirectory("leasehold-redis-binary");
            // Deleted in reverse order: the file first.
            directory.toFile().deleteOnExit();
            unpacked = ExecutableProvider.newJarResourceProvider(directory.toFile())
                    .get()
                    .toPath();
            unpacked.toFile().deleteOnExit();
        }
        return unpacked;
    }

    private static Path unpacked;
}
