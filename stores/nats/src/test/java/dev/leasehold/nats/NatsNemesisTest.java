package dev.leasehold.nats;

import dev.leasehold.testkit.environment.Requires;
import dev.leasehold.testkit.nemesis.ContestedFile;
import dev.leasehold.testkit.nemesis.ContestedTarget;
import dev.leasehold.testkit.nemesis.NemesisContract;
import dev.leasehold.testkit.nemesis.Site;
import dev.leasehold.testkit.servers.NatsServer;
import java.nio.file.Path;
import java.util.OptionalInt;

/** Real processes on NATS, with a fenced file. */
@Requires("nats-server")
class NatsNemesisTest extends NemesisContract {
    @Override
    protected Site openSite(Path directory) throws Exception {
        NatsServer server = NatsServer.start();
        Path target = directory.resolve("contested");
        return new Site() {
            @Override
            public OptionalInt port() {
                return OptionalInt.of(server.port());
            }

            @Override
            public String address(int port) {
                return "nats://127.0.0.1:" + port + "/leases?timeout=2s " + target;
            }

            @Override
            public void restart() throws Exception {
                server.kill();
                server.startAgain();
            }

            @Override
            public void close() throws Exception {
                server.close();
            }
        };
    }

    @Override
    protected ContestedTarget open(String address) {
        int blank = address.indexOf(' ');
        return new ContestedFile(
                new NatsStoreProvider().create(address.substring(0, blank)), Path.of(address.substring(blank + 1)));
    }
}
