package dev.leasehold.bench;

import dev.leasehold.Stores;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.servers.DynamoDbServer;
import dev.leasehold.testkit.servers.EtcdServer;
import dev.leasehold.testkit.servers.InnoDbProcess;
import dev.leasehold.testkit.servers.JavaServer;
import dev.leasehold.testkit.servers.NatsServer;
import dev.leasehold.testkit.servers.ZooKeeperServer;
import java.nio.file.Path;
import java.time.Duration;

/** The command that lists, on the stores that {@link LargeStoreBench} does not have, each with many names that are held. */
final class ManyNamesBench {
    private static final int NAMES = Integer.getInteger("leasehold.bench.names", 100_000);
    private static final int THREADS = 64;
    private static final Duration TTL = Duration.ofHours(10);

    /** One name in a thousand starts with this. */
    private static final String PREFIX = ManyRecords.NAME_PREFIX + "999";

    private final Targets targets = new Targets();

    private ManyNamesBench() {}

    static void run(Path directory) throws Exception {
        ManyNamesBench bench = new ManyNamesBench();
        bench.status("SQLite", "sqlite:" + directory.resolve("leases.db"));
        bench.status("H2", "h2:" + directory.resolve("leases"));
        try (InnoDbProcess server = InnoDbProcess.mariaDb("create database leases;")) {
            bench.status("MariaDB", "mariadb://root@127.0.0.1:" + server.port() + "/leases");
        }
        try (EtcdServer server = EtcdServer.start()) {
            bench.status("etcd", server.url());
        }
        try (ZooKeeperServer server = ZooKeeperServer.start(JavaServer.ownClassPath(), "")) {
            bench.status("ZooKeeper", server.url());
        }
        try (NatsServer server = NatsServer.start()) {
            bench.status("NATS", server.url());
        }
        try (DynamoDbServer server = DynamoDbServer.start(JavaServer.ownClassPath(), false)) {
            bench.status("DynamoDB Local", server.url("leases"));
        }
        bench.targets.print();
    }

    private void status(String product, String url) throws Exception {
        System.out.println();
        System.out.println(product + ", " + NAMES + " names");
        try (LeaseStore store = Stores.create(url)) {
            fill(store);
        }
        CommandRun.of(1, "status", "--store", url, "--prefix", PREFIX);
        CommandRun some =
                CommandRun.of(1, "status", "--store", url, "--prefix", PREFIX).print("./leasehold status --prefix");
        CommandRun all = CommandRun.of(1, "status", "--store", url).print("./leasehold status");
        if (all.lines() != NAMES + 1) {
            throw new IllegalStateException("status printed " + all.lines() + " lines");
        }
        String what = product + ", status of " + NAMES + " names: ";
        targets.atMost(what + "ms to the first line", 1000, all.firstMillis());
        targets.atMost(what + "seconds", 10, all.totalMillis() / 1000);
        targets.atMost(what + "MB resident", 256, all.megabytes());
        targets.atMost(product + ", status --prefix of 0.1 % of them: ms", 1000, some.totalMillis());
    }

    private static void fill(LeaseStore store) throws Exception {
        SystemIds ids = new SystemIds();
        InParallel.forEach(NAMES, THREADS, i -> {
            LeaseName name = LeaseName.of(ManyRecords.NAME_PREFIX + i);
            store.acquire(name, AttemptId.of(ids.unique()), Holder.of("bench"), TTL);
        });
    }
}
