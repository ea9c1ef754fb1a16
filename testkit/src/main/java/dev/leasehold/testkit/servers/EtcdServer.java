package dev.leasehold.testkit.servers;

import dev.leasehold.testkit.environment.InstalledProgram;
import dev.leasehold.testkit.environment.TestCertificate;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An etcd with one member. */
public final class EtcdServer extends LoopbackServer {
    private final int peerPort = LoopbackPort.free();
    private final int healthPort = LoopbackPort.free();
    private final @Nullable TestCertificate certificate;

    private EtcdServer(@Nullable TestCertificate certificate) throws IOException {
        super("etcd");
        this.certificate = certificate;
    }

    public static EtcdServer start() throws IOException, InterruptedException {
        return start(null);
    }

    public static EtcdServer startWithTls(TestCertificate certificate) throws IOException, InterruptedException {
        return start(certificate);
    }

    private static EtcdServer start(@Nullable TestCertificate certificate) throws IOException, InterruptedException {
        EtcdServer server = new EtcdServer(certificate);
        server.startFirst();
        return server;
    }

    @Override
    protected List<String> command() {
        String client = (certificate == null ? "http" : "https") + "://127.0.0.1:" + port();
        String peer = "http://127.0.0.1:" + peerPort;
        List<String> command = new ArrayList<>(List.of(
                InstalledProgram.require("etcd").toString(),
                "--data-dir=" + directory().resolve("data"),
                "--listen-client-urls=" + client,
                "--advertise-client-urls=" + client,
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=default=" + peer,
                "--listen-metrics-urls=http://127.0.0.1:" + healthPort));
        if (certificate != null) {
            command.add("--cert-file=" + certificate.certificate());
            command.add("--key-file=" + certificate.key());
        }
        return command;
    }

    /** The server accepts connections before it has a leader. */
    @Override
    protected boolean isReady(Socket connection) throws IOException {
        URI health = URI.create("http://127.0.0.1:" + healthPort + "/health");
        try (var in = health.toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).contains("true");
        }
    }

    public String url() {
        return url("leases");
    }

    public String url(String prefix) {
        return "etcd://127.0.0.1:" + port() + "/" + prefix + "?timeout=20s";
    }
}
