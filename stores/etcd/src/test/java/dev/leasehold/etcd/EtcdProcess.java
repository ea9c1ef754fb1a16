package dev.leasehold.etcd;

import dev.leasehold.testkit.environment.InstalledProgram;
import dev.leasehold.testkit.environment.TestCertificate;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A real server with one member on a free loopback port, with its own directory; closing removes both. */
final class EtcdProcess implements AutoCloseable {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Path directory;
    private final int port;
    private final int peerPort;
    private final @Nullable TestCertificate certificate;
    private Process process;

    private EtcdProcess(Path directory, int port, int peerPort, @Nullable TestCertificate certificate) {
        this.directory = directory;
        this.port = port;
        this.peerPort = peerPort;
        this.certificate = certificate;
    }

    static EtcdProcess start() throws IOException, InterruptedException {
        return start(null);
    }

    static EtcdProcess startWithTls(TestCertificate certificate) throws IOException, InterruptedException {
        return start(certificate);
    }

    private static EtcdProcess start(@Nullable TestCertificate certificate) throws IOException, InterruptedException {
        EtcdProcess server =
                new EtcdProcess(Files.createTempDirectory("leasehold-etcd"), freePort(), freePort(), certificate);
        try {
            server.startAgain();
        } catch (IOException e) {
            server.close();
            throw e;
        }
        return server;
    }

    void startAgain() throws IOException, InterruptedException {
        String client = (certificate == null ? "http" : "https") + "://127.0.0.1:" + port;
        String peer = "http://127.0.0.1:" + peerPort;
        List<String> command = new ArrayList<>(List.of(
                InstalledProgram.require("etcd").toString(),
                "--data-dir=" + directory.resolve("data"),
                "--listen-client-urls=" + client,
                "--advertise-client-urls=" + client,
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=default=" + peer));
        String health = client;
        if (certificate != null) {
            health = "http://127.0.0.1:" + freePort();
            command.add("--listen-metrics-urls=" + health);
            command.add("--cert-file=" + certificate.certificate());
            command.add("--key-file=" + certificate.key());
        }
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        awaitHealth(URI.create(health + "/health"));
    }

    /** The server accepts connections before it has a leader. */
    private void awaitHealth(URI health) throws IOException, InterruptedException {
        long began = System.nanoTime();
        while (System.nanoTime() - began < PATIENCE_NANOS && process.isAlive()) {
            try (var in = health.toURL().openStream()) {
                if (new String(in.readAllBytes(), StandardCharsets.UTF_8).contains("true")) {
                    return;
                }
            } catch (IOException e) {
                // The server is not up yet.
            }
            Thread.sleep(10);
        }
        throw new IOException("etcd did not start:\n" + Files.readString(directory.resolve("log")));
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

    String url(String prefix) {
        return "etcd://127.0.0.1:" + port + "/" + prefix + "?timeout=20s";
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
