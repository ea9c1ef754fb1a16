package dev.leasehold.server;

import dev.leasehold.Stores;
import dev.leasehold.spi.LeaseStore;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One server over a store in a directory, for all tests of the module. It ends with the test JVM. */
final class SharedServer implements BeforeAllCallback {
    private static LeaseholdServer server;

    static synchronized String url() {
        return server.uri().toString();
    }

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        synchronized (SharedServer.class) {
            if (server == null) {
                Path directory = Files.createTempDirectory("leasehold-server");
                LeaseStore store = Stores.create("file:" + directory.resolve("store"));
                server = start(store);
            }
        }
    }

    static LeaseholdServer start(LeaseStore store) throws Exception {
        return LeaseholdServer.over(store)
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .agentHooks(Files.createTempDirectory("leasehold-agents"))
                .start();
    }
}
