package dev.leasehold.durableobjects;

import dev.leasehold.Stores;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.environment.InstalledProgram;
import dev.leasehold.testkit.environment.Requires;
import dev.leasehold.testkit.nemesis.ContestedTarget;
import dev.leasehold.testkit.nemesis.NemesisContract;
import dev.leasehold.testkit.nemesis.Site;
import dev.leasehold.testkit.servers.WorkerdServer;
import java.nio.file.Path;
import java.util.OptionalInt;

/** Real processes on a Durable Object, with a guarded text. */
@Requires({InstalledProgram.WORKERD, InstalledProgram.LIBFAKETIME})
class DurableObjectsNemesisTest extends NemesisContract {
    private static final String PLAIN = "fplain";

    @Override
    protected Site openSite(Path directory) throws Exception {
        WorkerdServer server = WorkerdServer.start();
        return new Site() {
            @Override
            public OptionalInt port() {
                return OptionalInt.of(server.port());
            }

            /** The test itself waits for a slow server; holders do not. */
            @Override
            public String address(int port) {
                return "durable-objects://127.0.0.1:" + port + "/nemesis?timeout="
                        + (port == server.port() ? "20s" : "1s");
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
        LeaseStore store = Stores.create(address);
        DurableObjectsClient client = DurableObjectsClient.connect(address);
        return new Guarded(store, client, DurableObjectsFence.at(client, "contested"));
    }

    private record Guarded(LeaseStore store, DurableObjectsClient client, DurableObjectsFence fence)
            implements ContestedTarget {
        @Override
        public Admission raise(Grant grant) {
            return fence.raise(grant);
        }

        @Override
        public Admission admit(Grant grant, String content) {
            return fence.admit(grant, content);
        }

        /** What was written without the fence counts, if there is any. */
        @Override
        public String read() {
            try {
                String plain = client.read(PLAIN).value();
                return plain == null ? fence.read().orElse("") : plain;
            } catch (StoreUnavailableException e) {
                throw new TargetUnavailableException(e.getMessage(), e);
            }
        }

        /** A writer that asks nobody. */
        @Override
        public void overwrite(String content) {
            try {
                boolean written = false;
                while (!written) {
                    written = client.replace(PLAIN, client.read(PLAIN).version(), content);
                }
            } catch (StoreUnavailableException e) {
                throw new TargetUnavailableException(e.getMessage(), e);
            }
        }

        @Override
        public void close() {
            client.close();
            store.close();
        }
    }
}
