package dev.leasehold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Two real applications on one PostgreSQL, one on Spring Boot 3.5 and one on 4, frozen at random. The
 * one on Spring Boot 4 runs on the newest JDK of the machine, with virtual threads where it has them. What
 * was acknowledged is in the balance of the fenced account; the account that is not fenced loses
 * updates. {@code -Dleasehold.spring.storm=all} runs all pairs of versions.
 */
class StormTest {
    private static final Path ROOT = Path.of(System.getProperty("leasehold.root"));
    private static final String BOOT4 = System.getProperty("java.class.path");

    /** Until both accounts have shown what they have to show. */
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(150);

    private static EmbeddedPostgres server;
    private static JdbcTemplate jdbc;

    @TempDir
    Path folder;

    private final Random random = new Random();
    private final List<StormProcess> processes = new ArrayList<>();

    @BeforeAll
    static void startDatabase() throws Exception {
        server = EmbeddedPostgres.builder().start();
        jdbc = new JdbcTemplate(server.getPostgresDatabase());
    }

    @AfterAll
    static void stopDatabase() throws Exception {
        server.close();
    }

    static Stream<List<String>> pairs() {
        return System.getProperty("leasehold.spring.storm", "").equals("all")
                ? Stream.of(List.of("3.5", "4"), List.of("3.5", "3.5"), List.of("4", "4"))
                : Stream.of(List.of("3.5", "4"));
    }

    private static String classPath(String version) throws Exception {
        if (version.equals("4")) {
            return BOOT4;
        }
        Path boot3 = ROOT.resolve("examples/spring-boot/target/classpath");
        Path here = ROOT.resolve("spring/boot4-tests/target/test-classes");
        return here + File.pathSeparator + Files.readString(boot3).strip();
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void acknowledgedAdditionsOfTheFencedAccountAreAllThere(List<String> versions) throws Exception {
        jdbc.execute("drop table if exists account");
        jdbc.execute("create table account (id varchar(20) primary key, balance bigint not null)");
        jdbc.update("insert into account values ('fenced', 0), ('unfenced', 0)");
        try {
            for (String version : versions) {
                Path log = folder.resolve("app" + processes.size() + ".log");
                TestJdk jdk = version.equals("4") ? TestJdk.newest() : TestJdk.current();
                processes.add(StormProcess.start(jdk, classPath(version), server.getPort(), log));
            }
            for (StormProcess process : processes) {
                process.await("STARTED");
            }
            storm();
            for (StormProcess process : processes) {
                process.end();
            }
            assertThat(count("ADDED fenced")).as(what()).isEqualTo(balance("fenced"));
            assertThat(count("ADDED unfenced")).as("lost updates: " + what()).isGreaterThan(balance("unfenced"));
            assertThat(count("REFUSED")).as(what()).isPositive();
            for (StormProcess process : processes) {
                assertThat(process.count("VIRTUAL") > 0).isEqualTo(process.jdk().hasVirtualThreads());
            }
        } finally {
            processes.forEach(StormProcess::destroy);
        }
    }

    /** Freezes one process at a time for longer than its leases last, until the accident has happened. */
    private void storm() throws Exception {
        long started = System.nanoTime();
        boolean lost = false;
        while (System.nanoTime() - started < LIMIT_NANOS && !(lost && count("REFUSED") > 0)) {
            StormProcess victim = random.nextInt(5) == 0 ? processes.get(random.nextInt(2)) : busiest();
            victim.signal("STOP");
            Thread.sleep(2500 + random.nextInt(1000));
            victim.signal("CONT");
            Thread.sleep(300 + random.nextInt(500));
            // In this order: what is acknowledged was committed before.
            long acknowledged = count("ADDED unfenced");
            lost = acknowledged > balance("unfenced");
        }
    }

    /** Most likely the holder of a lease. */
    private StormProcess busiest() throws Exception {
        long[] before = {processes.get(0).count("ADDED"), processes.get(1).count("ADDED")};
        Thread.sleep(150);
        long first = processes.get(0).count("ADDED") - before[0];
        long second = processes.get(1).count("ADDED") - before[1];
        return processes.get(first >= second ? 0 : 1);
    }

    private long count(String beginning) throws Exception {
        return processes.get(0).count(beginning) + processes.get(1).count(beginning);
    }

    private static long balance(String account) {
        Long balance = jdbc.queryForObject("select balance from account where id = ?", Long.class, account);
        return balance == null ? -1 : balance;
    }

    private String what() throws Exception {
        return "fenced " + count("ADDED fenced") + " acknowledged, " + balance("fenced") + " in the balance; unfenced "
                + count("ADDED unfenced") + " acknowledged, " + balance("unfenced") + " in the balance; "
                + count("REFUSED") + " refused, " + count("FAILED") + " failed";
    }
}
