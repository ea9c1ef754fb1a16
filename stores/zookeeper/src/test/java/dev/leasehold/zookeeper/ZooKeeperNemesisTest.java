package dev.leasehold.zookeeper;

import dev.leasehold.testkit.nemesis.ContestedFile;
import dev.leasehold.testkit.nemesis.ContestedTarget;
import dev.leasehold.testkit.nemesis.NemesisContract;
import dev.leasehold.testkit.nemesis.Site;
import dev.leasehold.testkit.servers.JavaServer;
import dev.leasehold.testkit.servers.ZooKeeperServer;
import java.nio.file.Path;
import java.util.OptionalInt;

/** Real processes on ZooKeeper, with a fenced file. */
class ZooKeeperNemesisTest extends NemesisContract {
    @Override
    protected Site openSite(Path directory) throws Exception {
        ZooKeeperServer server = ZooKeeperServer.start(JavaServer.ownClassPath(), "");
        Path target = directory.resolve("contested");
        return new Site() {
            @Override
            public OptionalInt port() {
                return OptionalInt.of(server.port());
            }

            @Override
            public String address(int port) {
                return "zookeeper://127.0.0.1:" + port + "/leases?timeout=2s " + target;
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
                new ZooKeeperStoreProvider().create(address.substring(0, blank)),
                Path.of(address.substring(blank + 1)));
    }
}
