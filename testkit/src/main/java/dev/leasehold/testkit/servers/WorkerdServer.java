package dev.leasehold.testkit.servers;

import dev.leasehold.testkit.environment.InstalledProgram;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The Worker for Durable Objects, which is on the class path, in the runtime of Cloudflare. */
public final class WorkerdServer extends LoopbackServer {
    /** What its clients need in their environment. */
    public static final Map<String, String> ENVIRONMENT = Map.of("LEASEHOLD_DURABLE_OBJECTS_KEY", "key-of-the-tests");

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
              modules = [(name = "worker.js", esModule = embed "worker.js")],
              compatibilityDate = "2026-01-01",
              bindings = [
                (name = "STORES", durableObjectNamespace = "LeaseholdStore"),
                (name = "LEASEHOLD_KEY", text = "%s"),
              ],
              durableObjectNamespaces = [(className = "LeaseholdStore", uniqueKey = "leasehold", enableSql = true)],
              durableObjectStorage = (localDisk = "disk"),
            );
            """;

    private WorkerdServer() throws IOException {
        super("workerd");
    }

    public static WorkerdServer start() throws IOException, InterruptedException {
        WorkerdServer server = new WorkerdServer();
        Path disk = Files.createDirectory(server.directory().resolve("disk"));
        Files.writeString(
                server.directory().resolve("config.capnp"),
                SETTINGS.formatted(disk, server.port(), ENVIRONMENT.get("LEASEHOLD_DURABLE_OBJECTS_KEY")));
        try (InputStream worker = WorkerdServer.class.getResourceAsStream("/dev/leasehold/durableobjects/worker.js")) {
            Files.copy(Objects.requireNonNull(worker), server.directory().resolve("worker.js"));
        }
        server.startFirst();
        return server;
    }

    @Override
    protected List<String> command() {
        return List.of(
                InstalledProgram.require(InstalledProgram.WORKERD).toString(),
                "serve",
                directory().resolve("config.capnp").toString());
    }

    public String url(String store) {
        return url(port(), store);
    }

    public static String url(int port, String store) {
        return "durable-objects://127.0.0.1:" + port + "/" + store + "?timeout=20s";
    }
}
