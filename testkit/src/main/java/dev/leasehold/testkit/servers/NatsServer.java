package dev.leasehold.testkit.servers;

import dev.leasehold.testkit.environment.InstalledProgram;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** NATS with JetStream. */
public final class NatsServer extends LoopbackServer {
    private final List<String> settings;

    private NatsServer(List<String> settings) throws IOException {
        super("nats");
        this.settings = settings;
    }

    /** @param settings as on the server's command line */
    public static NatsServer start(String... settings) throws IOException, InterruptedException {
        NatsServer server = new NatsServer(List.of(settings));
        server.startFirst();
        return server;
    }

    @Override
    protected List<String> command() {
        List<String> command = new ArrayList<>(List.of(
                InstalledProgram.require("nats-server").toString(),
                "-js",
                "-a",
                "127.0.0.1",
                "-p",
                Integer.toString(port()),
                "-sd",
                directory().resolve("data").toString()));
        command.addAll(settings);
        return command;
    }

    /** The server introduces itself when it is ready. */
    @Override
    protected boolean isReady(Socket connection) throws IOException {
        return connection.getInputStream().read() == 'I';
    }

    public String url() {
        return url("leases");
    }

    public String url(String bucket) {
        return "nats://127.0.0.1:" + port() + "/" + bucket + "?timeout=20s";
    }
}
