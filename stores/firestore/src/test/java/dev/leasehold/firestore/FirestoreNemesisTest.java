package dev.leasehold.firestore;

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
import dev.leasehold.testkit.servers.FirestoreServer;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalInt;

/** Real processes on Firestore, with a guarded text. */
@Requires({InstalledProgram.FIRESTORE, InstalledProgram.LIBFAKETIME})
class FirestoreNemesisTest extends NemesisContract {
    private static final String PLAIN = "plain";

    @Override
    protected Site openSite(Path directory) throws Exception {
        FirestoreServer server = FirestoreServer.start();
        return new Site() {
            @Override
            public OptionalInt port() {
                return OptionalInt.of(server.port());
            }

            /** The test itself waits for a slow server; holders do not. */
            @Override
            public String address(int port) {
                return FirestoreServer.url(port, "nemesis", port == server.port() ? "20s" : "1s");
            }

            /** The emulator keeps nothing, so it only stops for a while. */
            @Override
            public void restart() throws Exception {
                server.stopForAWhile();
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
        FirestoreClient client = FirestoreClient.connect(address);
        return new Guarded(store, client, FirestoreFence.at(client, "contested"));
    }

    private record Guarded(LeaseStore store, FirestoreClient client, FirestoreFence fence) implements ContestedTarget {
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
                String plain = client.get(PLAIN).text("content");
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
                    written = client.change(
                            Map.of("update", client.document(PLAIN, Map.of("content", content))),
                            client.get(PLAIN).version());
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
