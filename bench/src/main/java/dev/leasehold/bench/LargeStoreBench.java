package dev.leasehold.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.Stores;
import dev.leasehold.internal.Fields;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.work.WorkLedger;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.params.ScanParams;
import redis.clients.jedis.resps.ScanResult;
import redis.embedded.RedisServer;

/**
 * Lists of stores with many names: against only reading as much data, and the commands that list, in time and memory.
 */
final class LargeStoreBench {
    private static final int NAMES = Integer.getInteger("leasehold.bench.names", 100_000);
    private static final int MOST_NAMES = Integer.getInteger("leasehold.bench.most-names", 1_000_000);
    private static final String PREFIX = ManyRecords.NAME_PREFIX + "999";
    private static final int PAGE = 1000;
    private static final int ROUNDS = 5;
    private static final int JOBS = 1000;
    private static final int THREADS = 16;
    private static final String LIST = "LeaseStore.list, pages of 1,000";

    private final Targets targets = new Targets();

    private LargeStoreBench() {}

    static void run(Path directory) throws Exception {
        LargeStoreBench bench = new LargeStoreBench();
        bench.files(directory.resolve("files"));
        bench.postgres(directory.resolve("postgres"));
        bench.redis(Files.createDirectory(directory.resolve("redis")));
        bench.targets.print();
    }

    private void files(Path directory) throws Exception {
        String url = "file:" + directory;
        try (LeaseStore store = Stores.create(url)) {
            acquireFirst(store);
            fill(directory.resolve("leases"));
            fillRegister(url, store);
            compare("file store", store, NAMES, "readdir, and one small file read a name", times -> readAll(directory));
            status("file store", url, NAMES);
        }
    }

    private static void acquireFirst(LeaseStore store) {
        store.acquire(
                LeaseName.of(ManyRecords.NAME_PREFIX + 0),
                AttemptId.of(new SystemIds().unique()),
                Holder.of("bench"),
                Duration.ofHours(1));
    }

    /** Every other name is a copy of the files of the first one, with its own name in the grant. */
    private static void fill(Path leases) throws IOException {
        Path first = leases.resolve("n-bench%2fmany-0");
        String grantFile = "g-00000000000000000001";
        byte[] state = Files.readAllBytes(first.resolve("state"));
        String grant = Files.readString(first.resolve(grantFile));
        String content = grant.substring(0, grant.lastIndexOf("seal="));
        for (int i = 1; i < NAMES; i++) {
            Path directory = Files.createDirectory(leases.resolve("n-bench%2fmany-" + i));
            Files.write(directory.resolve("state"), state);
            Files.writeString(
                    directory.resolve(grantFile),
                    Fields.withChecksum(content.replace(ManyRecords.NAME_PREFIX + 0, ManyRecords.NAME_PREFIX + i)));
        }
    }

    private static void readAll(Path store) throws IOException {
        try (DirectoryStream<Path> names = Files.newDirectoryStream(store.resolve("leases"), "n-*")) {
            for (Path name : names) {
                Files.readAllBytes(name.resolve("g-00000000000000000001"));
            }
        }
    }

    private void postgres(Path directory) throws Exception {
        try (EmbeddedPostgres server = PostgresBench.durable(directory);
                HikariDataSource pool = PostgresBench.pool(server, "public", 4)) {
            String url = "postgresql://postgres@localhost:" + server.getPort() + "/postgres";
            try (LeaseStore store = Stores.create(url)) {
                acquireFirst(store);
                fillRegister(url, store);
                for (int names : new int[] {NAMES, MOST_NAMES}) {
                    fill(pool, names);
                    compare("PostgreSQL", store, names, "one select of all rows, with a cursor", t -> selectAll(pool));
                    status("PostgreSQL", url, names);
                }
            }
        }
    }

    private static void fill(HikariDataSource pool, int names) throws Exception {
        PostgresBench.execute(
                pool,
                "insert into leasehold_lease select (jsonb_populate_record(null::leasehold_lease, to_jsonb(one)"
                        + " || jsonb_build_object('name', 'bench/many-' || i))).* from leasehold_lease one,"
                        + " generate_series(1, " + (names - 1) + ") i where one.name = 'bench/many-0'"
                        + " on conflict do nothing",
                "vacuum (analyze) leasehold_lease",
                "checkpoint");
    }

    private static void selectAll(HikariDataSource pool) throws Exception {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.setFetchSize(PAGE);
            try (ResultSet rows = statement.executeQuery("select * from leasehold_lease order by name")) {
                while (rows.next()) {
                    rows.getString(1);
                }
            }
            connection.commit();
            connection.setAutoCommit(true);
        }
    }

    private void redis(Path directory) throws Exception {
        int port = RedisBench.freePort();
        RedisServer server = RedisServer.newRedisServer()
                .port(port)
                .bind("127.0.0.1")
                .setting("dir " + directory)
                .setting("save \"\"")
                .build();
        server.start();
        String url = "redis://127.0.0.1:" + port;
        try (UnifiedJedis jedis =
                        RedisClient.builder().hostAndPort("127.0.0.1", port).build();
                LeaseStore store = Stores.create(url)) {
            acquireFirst(store);
            fillRegister(url, store);
            for (int names : new int[] {NAMES, MOST_NAMES}) {
                RedisManyRecords.fill(jedis, "default", names);
                compare("Redis", store, names, "SCAN of all keys, and MGET of each page", times -> scanAll(jedis));
                status("Redis", url, names);
            }
        } finally {
            server.stop();
        }
    }

    private static void scanAll(UnifiedJedis jedis) {
        ScanParams params = new ScanParams().count(PAGE).match("{leasehold:default}:lease:*");
        String cursor = ScanParams.SCAN_POINTER_START;
        do {
            ScanResult<String> page = jedis.scan(cursor, params);
            if (!page.getResult().isEmpty()) {
                jedis.mget(page.getResult().toArray(String[]::new));
            }
            cursor = page.getCursor();
        } while (!cursor.equals(ScanParams.SCAN_POINTER_START));
    }

    private void compare(String product, LeaseStore store, int names, String limit, Comparison.Work reading)
            throws Exception {
        Measurement outcome = new Comparison(product + ", list of " + names + " names", 1, ROUNDS)
                .warmUp(1)
                .add(limit, reading)
                .add(LIST, times -> list(store, "", names))
                .add("the same, of a prefix that 0.1 % of the names have", times -> list(store, PREFIX, 1))
                .run();
        targets.atMost(
                product + ", list of " + names + " names: time against " + limit, 5, 1 / outcome.speed(LIST, limit));
    }

    private static void list(LeaseStore store, String prefix, int least) {
        int found = 0;
        String after = "";
        List<LeaseSnapshot> page;
        do {
            page = store.list(prefix, after, PAGE);
            found += page.size();
            after = page.isEmpty()
                    ? after
                    : page.get(page.size() - 1).lease().name().value();
        } while (page.size() == PAGE);
        if (found < least) {
            throw new IllegalStateException("the list has only " + found + " names");
        }
    }

    private void status(String product, String url, int names) throws Exception {
        CommandRun.of(1, "status", "--store", url, "--prefix", PREFIX);
        CommandRun.of(1, "status", "--store", url, "--prefix", PREFIX).print("./leasehold status --prefix");
        CommandRun all = CommandRun.of(1, "status", "--store", url).print("./leasehold status");
        // The heading, and the lease of the work items.
        if (all.lines() != names + 2) {
            throw new IllegalStateException("status printed " + all.lines() + " lines");
        }
        String what = product + ", status of " + names + " names";
        check(what, all);
        if (names <= NAMES) {
            targets.atMost(what + ": seconds", 10, all.totalMillis() / 1000);
        }
        others(product, url, names);
    }

    private void others(String product, String url, int names) throws Exception {
        String store = product + " with " + names + " names, ";
        String name = ManyRecords.NAME_PREFIX + (names - 1);
        check(
                store + "explain",
                CommandRun.of(0, "explain", name, "--store", url).print("./leasehold explain"));
        check(
                store + "due, " + JOBS + " jobs",
                CommandRun.of(0, "due", "--store", url).print("./leasehold due"));
        check(
                store + "work, " + NAMES + " items",
                CommandRun.of(1, "work", "--store", url).print("./leasehold work"));
        check(store + "doctor", CommandRun.of(0, "doctor", "--store", url).print("./leasehold doctor"));
    }

    private void check(String what, CommandRun run) {
        targets.atMost(what + ": ms to the first line", 1000, run.firstMillis());
        targets.atMost(what + ": MB resident", 256, run.megabytes());
    }

    /** Jobs without slots, and copies of a work item that is done. */
    private static void fillRegister(String url, LeaseStore store) throws Exception {
        CasRegister register = store.register();
        long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        String slots = "leasehold slots 1\nwatermark=" + now + "\nschedule=" + now + " UTC 0 3 * * *\n";
        try (Leases leases = Leases.open(url);
                Lease lease = leases.tryAcquire("bench/work").lease().orElseThrow()) {
            WorkLedger.over(leases.store()).run(lease, "key-0", work -> null);
        }
        String first = register.keys("work#bench/work#", "", 1).get(0);
        String done = register.read(first).value().orElseThrow();
        InParallel.forEach(NAMES, THREADS, i -> {
            if (i < JOBS) {
                register.compareAndSet("slots/bench-" + i, CasRegister.ABSENT, slots);
            }
            String key = "key-" + i;
            register.compareAndSet(first.replace("key-0", key), CasRegister.ABSENT, done.replace("key-0", key));
        });
    }
}
