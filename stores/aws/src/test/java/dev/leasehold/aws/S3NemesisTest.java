package dev.leasehold.aws;

import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.nemesis.ContestedTarget;
import dev.leasehold.testkit.nemesis.NemesisContract;
import dev.leasehold.testkit.nemesis.Site;
import dev.leasehold.testkit.servers.JavaServer;
import dev.leasehold.testkit.servers.S3Server;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalInt;

/** Real processes on S3, with a guarded series of objects. */
class S3NemesisTest extends NemesisContract {
    private static final String PLAIN = "plain/content/";

    @Override
    protected Site openSite(Path directory) throws Exception {
        S3Server server = S3Server.start(JavaServer.ownClassPath());
        return new Site() {
            @Override
            public OptionalInt port() {
                return OptionalInt.of(server.port());
            }

            /** The test itself waits for a slow server; holders do not. */
            @Override
            public String address(int port) {
                return "s3://leases/nemesis?endpoint=http://127.0.0.1:" + port + "&timeout="
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
        LeaseStore store = S3LeaseStore.create(address);
        S3Client client = S3Client.connect(address);
        return new Objects(store, client, S3Fence.at(client, "contested"));
    }

    private record Objects(LeaseStore store, S3Client client, S3Fence fence) implements ContestedTarget {
        @Override
        public Admission raise(Grant grant) {
            return fence.raise(grant);
        }

        @Override
        public Admission admit(Grant grant, String content) {
            return fence.admit(grant, content.getBytes(StandardCharsets.UTF_8));
        }

        /** What was written without the fence counts, if there is any. */
        @Override
        public String read() {
            try {
                S3Series.Top top = plain().top();
                S3Client.Content found = top.number() == 0 ? null : client.get(plain().name(top.number()));
                return new String(
                        found == null ? fence.read().orElse(new byte[0]) : found.body(), StandardCharsets.UTF_8);
            } catch (StoreUnavailableException e) {
                throw new TargetUnavailableException(e.getMessage(), e);
            }
        }

        /** A writer that asks nobody: it creates whatever object is the next one. */
        @Override
        public void overwrite(String content) {
            try {
                boolean written = false;
                while (!written) {
                    written = plain().append(plain().top(), content.getBytes(StandardCharsets.UTF_8), Map.of());
                }
            } catch (StoreUnavailableException e) {
                throw new TargetUnavailableException(e.getMessage(), e);
            }
        }

        private S3Series plain() {
            return new S3Series(client, PLAIN);
        }

        @Override
        public void close() {
            client.close();
            store.close();
        }
    }
}
