package dev.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.spi.LeaseStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes that open a new database at the same moment: the switch to a write-ahead log may fail
 * at once.
 */
class SqliteOpeningTest {
    private static final int PROCESSES = 3;
    private static final int THREADS = 6;
    private static final int ROUNDS = 40;

    @TempDir
    Path directory;

    private final List<Process> openers = new ArrayList<>();

    @AfterEach
    void stop() {
        openers.forEach(Process::destroyForcibly);
    }

    @Test
    @Timeout(300)
    void concurrentOpensOfANewDatabaseSucceed() throws Exception {
        List<BufferedReader> answers = new ArrayList<>();
        List<PrintStream> orders = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            Process opener = start();
            openers.add(opener);
            answers.add(opener.inputReader(StandardCharsets.UTF_8));
            orders.add(new PrintStream(opener.getOutputStream(), true, StandardCharsets.UTF_8));
        }
        for (BufferedReader ready : answers) {
            assertThat(ready.readLine()).isEqualTo("ready");
        }
        for (int round = 0; round < ROUNDS; round++) {
            String url = "sqlite:" + directory.resolve("new-" + round + ".db");
            orders.forEach(order -> order.println(url));
            List<String> ids = new ArrayList<>();
            for (BufferedReader opener : answers) {
                for (int i = 0; i < THREADS; i++) {
                    ids.add(opener.readLine());
                }
                assertThat(opener.readLine()).as("files that are left open").isEqualTo("[]");
            }
            assertThat(ids).as("store ids in round %d", round).containsOnly(ids.get(0));
            assertThat(ids.get(0)).matches("[A-Za-z0-9]+");
        }
    }

    private static List<String> openFiles(String file) throws IOException {
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path one : all) {
                try {
                    String target = Files.readSymbolicLink(one).toString();
                    if (target.startsWith(file)) {
                        found.add(target);
                    }
                } catch (NoSuchFileException e) {
                    // The handle that reads this directory.
                }
            }
        }
        return found;
    }

    private static Process start() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Opener.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Opens the given database from several threads at once, and prints what each of them got. */
    static final class Opener {
        private Opener() {}

        public static void main(String[] arguments) throws Exception {
            ExecutorService threads = Executors.newFixedThreadPool(THREADS);
            BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            Class.forName("org.sqlite.JDBC");
            System.out.println("ready");
            for (String url = orders.readLine(); url != null; url = orders.readLine()) {
                String place = url;
                CountDownLatch start = new CountDownLatch(1);
                List<Future<String>> opened = new ArrayList<>();
                for (int i = 0; i < THREADS; i++) {
                    opened.add(threads.submit(() -> {
                        start.await();
                        try (LeaseStore store = new JdbcStoreProvider().create(place)) {
                            return store.id().value();
                        } catch (RuntimeException e) {
                            return "failed: " + e.getMessage();
                        }
                    }));
                }
                start.countDown();
                for (Future<String> one : opened) {
                    System.out.println(one.get(120, TimeUnit.SECONDS));
                }
                System.out.println(openFiles(place.substring(place.indexOf(':') + 1)));
            }
            threads.shutdownNow();
        }
    }
}
