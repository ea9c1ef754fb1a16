package dev.leasehold.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.crash.Actor;
import dev.leasehold.crash.CrashScenario;
import dev.leasehold.crash.KillAtEveryCall;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.spi.Intervention;
import dev.leasehold.testkit.environment.Requires;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that dies between any two system calls of the store leaves it usable, and no token is
 * ever issued twice.
 */
@Requires("strace")
class FileStoreKillTest {
    private static final LeaseName NAME = LeaseName.of("job");
    private static final Duration SHORT = Duration.ofMillis(200);
    /**
     * For steps that follow each other, so that a slow machine does not make the lease expire
     * between them.
     */
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    Path root;

    @Test
    void killedWhileTheStoreIsCreatedAndTheFirstLeaseIsGranted() throws Exception {
        int points = new KillAtEveryCall(root, new Leasing(SHORT) {
                    @Override
                    public String script(Path directory) {
                        return "open " + directory.resolve("store") + ";acquire job attempt-0001 " + SHORT.toMillis();
                    }

                    @Override
                    void awaitFree(FileLeaseStore store, Acquisition.Busy busy) throws InterruptedException {
                        // The clock of the file system moves in steps of several milliseconds.
                        Thread.sleep(busy.remaining().toMillis() + 100);
                    }
                })
                .run();
        assertThat(points).as("points at which a process was killed").isGreaterThanOrEqualTo(15);
    }

    @Test
    void killedWhileALeaseIsRenewedReleasedAcquiredAgainAndTakenOver() throws Exception {
        int points = new KillAtEveryCall(root, new Leasing(LONG) {
                    @Override
                    public void prepare(Path directory) {
                        try (FileLeaseStore store = open(directory)) {
                            assertThat(acquire(store, "attempt-0001", LONG)).isInstanceOf(Acquisition.Granted.class);
                        }
                    }

                    @Override
                    public String script(Path directory) {
                        return String.join(
                                ";",
                                "open " + directory.resolve("store"),
                                "renew lh1,1,attempt-0001,,job " + LONG.toMillis(),
                                "release lh1,1,attempt-0001,,job",
                                "acquire job attempt-0002 " + LONG.toMillis(),
                                "takeover job attempt-0003 " + LONG.toMillis());
                    }

                    @Override
                    void awaitFree(FileLeaseStore store, Acquisition.Busy busy) {
                        store.intervene(Intervention.cancel(
                                NAME,
                                AttemptId.of("attempt-8000"),
                                Holder.of("test"),
                                Note.of("the test does not wait a minute")));
                    }
                })
                .run();
        assertThat(points).as("points at which a process was killed").isGreaterThanOrEqualTo(15);
    }

    private abstract static class Leasing implements CrashScenario {
        private final Duration ttl;

        Leasing(Duration ttl) {
            this.ttl = ttl;
        }

        @Override
        public void prepare(Path directory) {}

        abstract void awaitFree(FileLeaseStore store, Acquisition.Busy busy) throws InterruptedException;

        @Override
        public void check(Path directory, List<String> answers, String point) throws Exception {
            long acknowledged = 0;
            for (String line : answers) {
                assertThat(line).as(point).matches("(store|granted|Released|\\[Renewed).*");
                if (line.startsWith("granted ")) {
                    long token = Actor.grant(line.substring(8)).token().value();
                    assertThat(token).as("reported tokens, %s", point).isGreaterThan(acknowledged);
                    acknowledged = token;
                }
            }
            try (FileLeaseStore store = open(directory)) {
                Acquisition.Granted first = acquireOnceFree(store, point);
                assertThat(first.grant().token().value())
                        .as("a reported token is not issued again, %s", point)
                        .isGreaterThan(acknowledged);
                store.release(first.grant(), Duration.ZERO);
                assertThat(acquire(store, "attempt-9002", ttl))
                        .isInstanceOfSatisfying(Acquisition.Granted.class, second -> assertThat(
                                        second.grant().token())
                                .as("after release, %s", point)
                                .isEqualTo(first.grant().token().next()));
                historyIsWhole(store, point);
            }
        }

        /** Acquires the lease, if necessary after a wait, which must not be longer than a ttl. */
        private Acquisition.Granted acquireOnceFree(FileLeaseStore store, String point) throws InterruptedException {
            Acquisition answer = acquire(store, "attempt-9001", ttl);
            if (answer instanceof Acquisition.Busy busy) {
                assertThat(busy.remaining()).as("wait, %s", point).isLessThanOrEqualTo(ttl);
                awaitFree(store, busy);
                answer = acquire(store, "attempt-9001", ttl);
            }
            assertThat(answer).as("acquire, %s", point).isInstanceOf(Acquisition.Granted.class);
            return (Acquisition.Granted) answer;
        }

        private static void historyIsWhole(FileLeaseStore store, String point) {
            List<Long> tokens = store.history(NAME, 100).stream()
                    .map(transfer -> transfer.token().value())
                    .toList();
            assertThat(tokens)
                    .as("history, %s", point)
                    .doesNotHaveDuplicates()
                    .isSortedAccordingTo(Comparator.reverseOrder());
            assertThat((long) tokens.size()).as("no token skipped, %s", point).isEqualTo(tokens.get(0));
        }
    }

    private static FileLeaseStore open(Path directory) {
        return FileLeaseStore.create(directory.resolve("store"));
    }

    private static Acquisition acquire(FileLeaseStore store, String attempt, Duration ttl) {
        return store.acquire(NAME, AttemptId.of(attempt), Holder.of("test"), ttl);
    }
}
