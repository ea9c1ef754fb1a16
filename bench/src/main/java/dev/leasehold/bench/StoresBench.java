package dev.leasehold.bench;

import dev.leasehold.Stores;
import dev.leasehold.spi.LeaseStore;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.ZooKeeper;

/** Leasehold in ZooKeeper, etcd and DynamoDB against the locks of Curator, jetcd and AWS, each pair on one server. */
final class StoresBench {
    private static final String OURS = "Leasehold";
    private static final String CURATOR = "Curator InterProcessMutex";
    private static final String JETCD = "jetcd Lock with its lease";
    private static final Duration TTL = Duration.ofSeconds(90);
    private static final String WRITES = "two plain versioned writes";
    private static final int ROUNDS = 40;

    /** A service runs for long, so what counts is compiled code: that of the peers too. */
    private static final int WARM_UP_ROUNDS = 100;

    /** A file system in memory. */
    private static final Path MEMORY = Path.of("/dev/shm");

    private StoresBench() {}

    static void run(Path directory) throws Exception {
        Targets targets = new Targets();
        zooKeeper("ZooKeeper", directory.resolve("zookeeper"), targets);
        zooKeeperInMemory(targets);
        etcd(directory.resolve("etcd"), targets);
        DynamoDbBench.run(Files.createDirectory(directory.resolve("dynamodb")), targets);
        targets.print();
    }

    /** The same where a write does not wait for a disk, so that round trips count. */
    private static void zooKeeperInMemory(Targets targets) throws Exception {
        if (!Files.isDirectory(MEMORY)) {
            System.out.println("ZooKeeper in memory is left out: there is no " + MEMORY);
            return;
        }
        Path directory = Files.createTempDirectory(MEMORY, "leasehold-bench");
        try {
            zooKeeper("ZooKeeper in memory", directory.resolve("zookeeper"), targets);
        } finally {
            Main.delete(directory);
        }
    }

    private static void zooKeeper(String where, Path directory, Targets targets) throws Exception {
        InstanceSpec spec = new InstanceSpec(directory.toFile(), RedisBench.freePort(), -1, -1, true, 1);
        try (TestingServer server = new TestingServer(spec, true);
                CuratorFramework curator =
                        CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(100));
                LeaseStore store = Stores.create("zookeeper://" + server.getConnectString() + "/leases")) {
            curator.start();
            curator.blockUntilConnected();
            for (int threads : new int[] {1, 8}) {
                Measurement outcome = compare(where, threads, CURATOR, curator(curator), store)
                        .addOnThreads(WRITES, threads, versionedWrites(curator)::onThread)
                        .run();
                String work = where + " acquire + release, " + threads + " threads: rate against ";
                targets.atLeast(work + CURATOR, 1.5, outcome.speed(OURS, CURATOR));
                targets.atLeast(work + WRITES, 0.75, outcome.speed(OURS, WRITES));
            }
        }
    }

    private static AcquireRelease curator(CuratorFramework curator) {
        return name -> {
            InterProcessMutex mutex = new InterProcessMutex(curator, "/curator/" + name.replace('/', '-'));
            if (!mutex.acquire(10, TimeUnit.SECONDS)) {
                throw new IllegalStateException(name + " is held");
            }
            mutex.release();
        };
    }

    /** What no lock in ZooKeeper can do without: a write that takes it, and one that gives it back. */
    private static AcquireRelease versionedWrites(CuratorFramework curator) {
        byte[] data = new byte[300];
        Map<String, Integer> versions = new ConcurrentHashMap<>();
        return name -> {
            ZooKeeper client = curator.getZookeeperClient().getZooKeeper();
            String path = "/plain-" + name.replace('/', '-');
            if (!versions.containsKey(path)) {
                curator.create().orSetData().forPath(path, data);
                versions.put(path, curator.checkExists().forPath(path).getVersion());
            }
            int version = versions.get(path);
            client.setData(path, data, version);
            client.setData(path, data, version + 1);
            versions.put(path, version + 2);
        };
    }

    private static void etcd(Path directory, Targets targets) throws Exception {
        int port = RedisBench.freePort();
        String client = "http://127.0.0.1:" + port;
        String peer = "http://127.0.0.1:" + RedisBench.freePort();
        Process server = new ProcessBuilder(
                        "etcd",
                        "--data-dir=" + directory,
                        "--listen-client-urls=" + client,
                        "--advertise-client-urls=" + client,
                        "--listen-peer-urls=" + peer,
                        "--initial-advertise-peer-urls=" + peer,
                        "--initial-cluster=default=" + peer)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            awaitPort(port);
            try (Client jetcd = Client.builder().endpoints(client).build();
                    LeaseStore store = Stores.create("etcd://127.0.0.1:" + port + "/leases?timeout=20s")) {
                for (int threads : new int[] {1, 8}) {
                    Measurement outcome =
                            compare("etcd", threads, JETCD, jetcd(jetcd), store).run();
                    targets.atLeast(
                            "etcd acquire + release, " + threads + " threads: rate against " + JETCD,
                            1.3,
                            outcome.speed(OURS, JETCD));
                }
            }
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    /** As its documentation shows: a lease, the lock under it, and both given back. */
    private static AcquireRelease jetcd(Client client) {
        return name -> {
            long lease = client.getLeaseClient().grant(TTL.toSeconds()).get().getID();
            ByteSequence key = client.getLockClient()
                    .lock(ByteSequence.from("lock/" + name, StandardCharsets.UTF_8), lease)
                    .get()
                    .getKey();
            client.getLockClient().unlock(key).get();
            client.getLeaseClient().revoke(lease).get();
        };
    }

    private static void awaitPort(int port) throws IOException, InterruptedException {
        for (int tries = 0; tries < 1000; tries++) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return;
            } catch (IOException e) {
                Thread.sleep(20);
            }
        }
        throw new IOException("etcd did not start");
    }

    private static Comparison compare(String where, int threads, String peer, AcquireRelease theirs, LeaseStore store) {
        return new Comparison(
                        where + ", acquire + release, " + threads + (threads == 1 ? " thread" : " threads"),
                        25 * threads,
                        ROUNDS)
                .warmUp(WARM_UP_ROUNDS)
                .addOnThreads(peer, threads, theirs::onThread)
                .addOnThreads(OURS, threads, AcquireRelease.leasehold(store, TTL)::onThread);
    }
}
