package dev.leasehold.mcp;

import dev.leasehold.internal.Failure;
import dev.leasehold.internal.SystemContext;
import dev.leasehold.spi.EngineContext;
import dev.leasehold.spi.LeaseStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The tools of one store, for clients that speak the Model Context Protocol. Safe for use by many
 * threads.
 */
public final class McpService implements AutoCloseable {
    private static final String RESOURCE = "/META-INF/maven/dev.leasehold/leasehold-mcp/pom.properties";

    private final Protocol protocol;
    private final EngineContext context;
    private final @Nullable KeptLeases kept;

    private McpService(Builder settings) throws IOException {
        LeaseStore store = settings.store;
        ToolFailures failures = new ToolFailures(settings.log);
        context = settings.context == null ? SystemContext.create() : settings.context;
        Duration longest = settings.keptAlive;
        kept = longest == null ? null : new KeptLeases(store, context, longest, failures);
        List<Tool> tools = new ArrayList<>();
        tools.add(new AcquireTool(store, context, kept, failures).tool());
        tools.addAll(new LeaseTools(store, kept).tools());
        tools.add(new StatusTool(store, context.ticker()).tool());
        Roots roots = new Roots(settings.roots);
        if (!roots.isEmpty()) {
            tools.add(new FileTool(store, roots, context.ticker(), failures).tool());
        }
        tools.addAll(new WorkTools(store).tools());
        tools.add(new OnceTool(store, context.ticker()).tool());
        tools.add(new ExplainTool(store, context.ticker()).tool());
        protocol = new Protocol(new Tools(tools, failures), version());
    }

    private static String version() throws IOException {
        try (InputStream in = McpService.class.getResourceAsStream(RESOURCE)) {
            Properties properties = new Properties();
            if (in != null) {
                properties.load(in);
            }
            return properties.getProperty("version", "0");
        }
    }

    /** @param store stays the caller's, who closes it after the service */
    public static Builder over(LeaseStore store) {
        return new Builder(store);
    }

    RpcAnswer answer(Message.Request request, McpCaller caller) {
        return protocol.answer(request, caller);
    }

    /** How many leases are renewed for the client. */
    int keptAlive() {
        return kept == null ? 0 : kept.size();
    }

    /** Releases the leases that are kept alive. Others last until their ttl. */
    @Override
    public void close() {
        if (kept != null) {
            kept.close();
        }
        context.timers().close();
    }

    /** The settings of a service. */
    public static final class Builder {
        private final LeaseStore store;
        private List<Path> roots = List.of();
        private @Nullable Duration keptAlive;
        private @Nullable EngineContext context;
        private BiConsumer<String, Throwable> log = Failure::log;

        private Builder(LeaseStore store) {
            this.store = store;
        }

        /** The directories in which {@code write_file} may write. Without one, it refuses. */
        public Builder roots(List<Path> directories) {
            roots = List.copyOf(directories);
            return this;
        }

        /**
         * Offers to renew leases until the service is closed, each for this long at most. Only for a
         * service of one connection, which is closed with it.
         */
        public Builder keepAlive(Duration longest) {
            keptAlive = longest;
            return this;
        }

        /** The clocks, timers and random numbers to use. */
        public Builder context(EngineContext value) {
            context = value;
            return this;
        }

        /** Where to report failures, which the client learns of without their details. */
        public Builder log(BiConsumer<String, Throwable> value) {
            log = value;
            return this;
        }

        /** @throws IOException if a root is not a directory */
        public McpService build() throws IOException {
            return new McpService(this);
        }
    }
}
