package dev.leasehold.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.Content;
import dev.leasehold.fence.FencedFile;
import dev.leasehold.fence.FencedFileKillTest;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.internal.disk.TwoCopyFile;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.Admission;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Transfer;
import dev.leasehold.store.FileLeaseStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Locks of the operating system belong to a process, so they do not exclude its threads, and
 * closing any channel of a file drops them. Many threads use the same files by different spellings
 * of their paths, and a second process competes with them.
 */
class ThreadsTest {
    private static final int THREADS = 16;
    private static final int ROUNDS = 5;

    @TempDir
    Path root;

    private Path real;
    private List<Path> spellings;

    @BeforeEach
    void spellings() throws Exception {
        real = Files.createDirectories(root.resolve("real"));
        Files.createSymbolicLink(root.resolve("linked"), real);
        Path here = Path.of("").toAbsolutePath();
        spellings = List.of(
                real,
                root.resolve("linked"),
                here.relativize(real.toAbsolutePath()),
                root.resolve("real").resolve("..").resolve("linked").resolve("."));
    }

    @Test
    void oneThreadWinsEachRound() throws Exception {
        List<FileLeaseStore> stores = new ArrayList<>();
        for (Path spelling : spellings) {
            stores.add(FileLeaseStore.create(spelling.resolve("store")));
        }
        assertThat(stores.stream().map(FileLeaseStore::id).distinct()).hasSize(1);
        LeaseName name = LeaseName.of("one");
        for (int round = 1; round <= ROUNDS; round++) {
            List<Acquisition> answers = together(thread -> stores.get(thread % stores.size())
                    .acquire(name, AttemptId.of(new SystemIds().unique()), Holder.of("t" + thread), ttl()));
            List<Acquisition> granted = answers.stream()
                    .filter(Acquisition.Granted.class::isInstance)
                    .toList();
            assertThat(granted).as("winners of round %s", round).hasSize(1);
            Grant grant = ((Acquisition.Granted) granted.get(0)).grant();
            assertThat(grant.token().value()).isEqualTo(round);
            stores.get(round % stores.size()).release(grant, Duration.ZERO);
        }
        assertThat(stores.get(0).history(name, 100).stream()
                        .map(Transfer::token)
                        .distinct())
                .hasSize(ROUNDS);
    }

    @Test
    void oneWriterAtATimeOnOneFile() throws Exception {
        Path file = real.resolve("page");
        Files.writeString(file, "");
        Path link = Files.createSymbolicLink(root.resolve("link-to-page"), file);
        List<Path> names = new ArrayList<>();
        spellings.forEach(spelling -> names.add(spelling.resolve("page")));
        names.add(link);
        // Each grant appends its token to what it reads after raising: a lost lock loses a line.
        for (int round = 0; round < ROUNDS; round++) {
            int first = round * THREADS;
            List<Boolean> admitted = together(thread -> {
                FencedFile fenced = FencedFile.at(names.get(thread % names.size()));
                Grant grant = FencedFileKillTest.grant(first + thread + 1L);
                if (!(fenced.raise(grant) instanceof Admission.Admitted)) {
                    return false;
                }
                String line = grant.token() + "\n";
                return fenced.admit(grant, Content.of(Files.readString(file) + line)) instanceof Admission.Admitted;
            });
            List<Long> landed =
                    Files.readAllLines(file).stream().map(Long::valueOf).toList();
            assertThat(landed).isSorted().doesNotHaveDuplicates();
            for (int thread = 0; thread < THREADS; thread++) {
                if (admitted.get(thread)) {
                    assertThat(landed)
                            .as("acknowledged writes of round %s", round)
                            .contains(first + thread + 1L);
                }
            }
            assertThat(admitted)
                    .as("the highest token is always admitted")
                    .last()
                    .isEqualTo(true);
        }
        assertThat(Files.isSymbolicLink(link)).isTrue();
    }

    /** Each thread has its own content for one token: exactly one write is admitted. */
    @Test
    void singleWriteOfAGrantIsAdmittedOnceAmongThreads() throws Exception {
        Path file = real.resolve("page");
        Grant grant = FencedFileKillTest.grant(1);
        List<Admission> answers = together(
                thread -> FencedFile.at(spellings.get(thread % spellings.size()).resolve("page"))
                        .admitOnce(grant, Content.of("thread " + thread)));
        assertThat(answers.stream().filter(Admission.Admitted.class::isInstance))
                .hasSize(1);
        assertThat(answers.stream().filter(Admission.OnceUsed.class::isInstance))
                .hasSize(THREADS - 1);
        int winner = answers.indexOf(answers.stream()
                .filter(Admission.Admitted.class::isInstance)
                .findFirst()
                .orElseThrow());
        assertThat(file).hasContent("thread " + winner);
    }

    /**
     * Closing any channel of a file drops the lock that this process holds on it: a thread that
     * times out must not do that.
     */
    @Test
    void threadThatTimesOutDoesNotDropTheLockOfAnother() throws Exception {
        Path file = real.resolve("page");
        FencedFile.at(file).raise(FencedFileKillTest.grant(1));
        Path fence = real.toRealPath().resolve(".page.leasehold-fence");
        try (ActorProcess other = ActorProcess.start();
                TwoCopyFile held =
                        TwoCopyFile.open(fence, TwoCopyFile.Size.SMALL, "a slow step", Duration.ofSeconds(1))) {
            FencedFile impatient = FencedFile.at(file).waitingAtMost(Duration.ofMillis(20));
            assertThatThrownBy(() -> impatient.raise(FencedFileKillTest.grant(2)))
                    .isInstanceOf(TargetUnavailableException.class)
                    .hasMessageContaining("another thread of this process");
            assertThat(other.ask("raise " + file + " lh1,2,,,page"))
                    .as("the lock still keeps other processes out")
                    .contains("is held by process " + ProcessHandle.current().pid());
            assertThat(held.text()).contains("raised=1");
        }
    }

    /**
     * Another process competes with the threads: locks must hold between threads and between
     * processes.
     */
    @Test
    void threadsAndAnotherProcessExcludeEachOther() throws Exception {
        Path file = real.resolve("log");
        Path home = real.resolve("store");
        try (ActorProcess other = ActorProcess.start()) {
            other.ask("open " + home);
            FileLeaseStore store = FileLeaseStore.create(spellings.get(1).resolve("store"));
            other.send("storm " + file + " fenced 800");
            other.finishInput();
            List<String> printed = Collections.synchronizedList(new ArrayList<>());
            new Storm(store, spellings.get(2).resolve("log"), true, printed::add).run(Duration.ofMillis(800));
            printed.addAll(other.hearAll());
            assertThat(printed).noneMatch(line -> line.startsWith("failed"));
            List<Long> landed =
                    Files.readAllLines(file).stream().map(Long::valueOf).toList();
            assertThat(landed).isSorted().doesNotHaveDuplicates();
            for (String line : printed) {
                if (line.startsWith("wrote ")) {
                    assertThat(landed).contains(Long.valueOf(line.substring(6)));
                }
            }
        }
    }

    private static Duration ttl() {
        return Duration.ofSeconds(30);
    }

    private interface Job<T> {
        T run(int thread) throws Exception;
    }

    private static <T> List<T> together(Job<T> job) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        try {
            List<Callable<T>> jobs = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                jobs.add(() -> job.run(thread));
            }
            List<T> answers = new ArrayList<>();
            for (Future<T> answer : pool.invokeAll(jobs)) {
                answers.add(answer.get());
            }
            return answers;
        } finally {
            pool.shutdownNow();
        }
    }
}
