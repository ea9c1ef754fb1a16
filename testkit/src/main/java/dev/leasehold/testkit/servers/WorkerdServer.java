package dev.leasehold.testkit.servers;

import dev.leasehold.testkit.environment.InstalledProgram;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;

/** A Worker for Durable Objects in the runtime of Cloudflare. */
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

    private WorkerdServer() throws IOException {
        super("workerd");
    }

    /** The Worker of the stores, which is on the class path. */
    public static WorkerdServer start() throws IOException, InterruptedException {
        return start("STORES", "LeaseholdStore", Map.of("worker.js", module("worker.js")));
    }

    /** A Worker with one class of objects. It finds their namespace by the name {@code binding}. */
    public static WorkerdServer start(String binding, String className, Map<String, String> modules)
            throws IOException, InterruptedException {
        WorkerdServer server = new WorkerdServer();
        Path disk = Files.createDirectory(server.directory().resolve("disk"));
        // The first one is the Worker.
        StringJoiner embedded = new StringJoiner(", ");
        for (Map.Entry<String, String> module : modules.entrySet()) {
            embedded.add("(name = \"%1$s\", esModule = embed \"%1$s\")".formatted(module.getKey()));
            Files.writeString(server.directory().resolve(module.getKey()), module.getValue());
        }
        String key = ENVIRONMENT.get("LEASEHOLD_DURABLE_OBJECTS_KEY");
        Files.writeString(
                server.directory().resolve("config.capnp"),
                SETTINGS.formatted(disk, server.port(), embedded, binding, className, key, className));
        server.startFirst();
        return server;
    }

    /** The text of a module on the class path. */
    public static String module(String name) throws IOException {
        try (InputStream module = WorkerdServer.class.getResourceAsStream("/dev/leasehold/durableobjects/" + name)) {
            return new String(Objects.requireNonNull(module).readAllBytes(), StandardCharsets.UTF_8);
        }
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
