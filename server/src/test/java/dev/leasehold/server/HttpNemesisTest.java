package dev.leasehold.server;

import dev.leasehold.client.HttpLeaseStore;
import dev.leasehold.testkit.nemesis.ContestedFile;
import dev.leasehold.testkit.nemesis.ContestedTarget;
import dev.leasehold.testkit.nemesis.NemesisContract;
import dev.leasehold.testkit.nemesis.Site;
import java.nio.file.Path;
import java.util.OptionalInt;

/** Real processes that share a server, which is killed now and then, and a fenced file. */
class HttpNemesisTest extends NemesisContract {
    @Override
    protected Site openSite(Path directory) throws Exception {
        ServerProcess server = new ServerProcess("file:" + directory.resolve("store"));
        return new Site() {
            @Override
            public OptionalInt port() {
                return OptionalInt.of(server.port());
            }

            @Override
            public String address(int port) {
                return "http://127.0.0.1:" + port + "?timeout=1s " + directory.resolve("target");
            }

            @Override
            public void restart() throws Exception {
                server.restart();
            }

            @Override
            public void close() throws Exception {
                server.close();
            }
        };
    }

    @Override
    protected ContestedTarget open(String address) {
        String[] parts = address.split(" ", 2);
        return new ContestedFile(HttpLeaseStore.open(parts[0]), Path.of(parts[1]));
    }
}
