package dev.leasehold.bench;

import dev.leasehold.Stores;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.spi.LeaseStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A Leasehold server in a process of its own, with the flags of {@code leasehold serve}. It keeps its port. */
final class ServedStore implements AutoCloseable {
    private static final Duration START_WITHIN = Duration.ofSeconds(60);

    private final String store;
    private final int port;
    private Process process;

    ServedStore(String store) throws Exception {
        this.store = store;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            this.port = free.getLocalPort();
        }
        this.process = start();
        awaitStart();
    }

    private Process start() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-Xmx160m",
                        "-XX:-UsePerfData",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ServedStore.class.getName(),
                        store,
                        Integer.toString(port))
                .inheritIO()
                .start();
    }

    private void awaitStart() throws Exception {
        long end = System.nanoTime() + START_WITHIN.toNanos();
        while (true) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return;
            } catch (IOException e) {
                if (!process.isAlive() || System.nanoTime() - end > 0) {
                    throw new IOException("the server did not start", e);
                }
                Thread.sleep(50);
            }
        }
    }

    String host() {
        return "127.0.0.1:" + port;
    }

    String url() {
        return "http://" + host();
    }

    int port() {
        return port;
    }

    /** As a crash would. */
    void killAndRestart() throws Exception {
        process.destroyForcibly().waitFor();
        process = start();
        awaitStart();
    }

    Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    int threads() throws IOException {
        return Math.toIntExact(status("Threads"));
    }

    /** The most memory that the process ever had, in megabytes. */
    double maxMegabytes() throws IOException {
        return status("VmHWM") / 1024.0;
    }

    /** A number of {@code /proc/PID/status}. */
    private long status(String field) throws IOException {
        List<String> lines = Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status"));
        for (String line : lines) {
            if (line.startsWith(field + ":")) {
                return Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        throw new IOException("the system does not report " + field);
    }

    @Override
    public void close() throws Exception {
        process.destroyForcibly().waitFor();
    }

    /** The process: the URL of a store, and a port. It ends when it is killed, or its parent has ended. */
    public static void main(String[] args) throws Exception {
        try (LeaseStore store = Stores.create(args[0]);
                LeaseholdServer server = LeaseholdServer.over(store)
                        .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[1])))
                        .start()) {
            ProcessHandle.current().parent().orElseThrow().onExit().get();
        }
    }
}
