package dev.leasehold.fence;

import static dev.leasehold.fence.FencedDirectoryKillTest.tree;
import static dev.leasehold.fence.FencedFileKillTest.grant;
import static dev.leasehold.fence.FencedFileKillTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.crash.CrashScenario;
import dev.leasehold.crash.FaultAtEveryCall;
import dev.leasehold.internal.disk.Trees;
import dev.leasehold.model.Admission;
import dev.leasehold.testkit.environment.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Each system call of a write fails once, and in other runs another program moves, replaces or
 * removes a file right after it. In every case acknowledged data is there, the target is whole, a
 * stale token is refused, and a later token can raise and write.
 */
@Requires("strace")
class FailingCallsTest {
    private static final String[] ERRORS = {"EIO", "ENOSPC", "EACCES", "EPERM", "EBUSY"};
    private static final int EACH = 1;
    private static final int MIN_FAULTS = 20;
    private static final String NOTHING_WRITTEN = "nothing was written";

    private Path root;

    /**
     * Uses memory where possible: this test does not check what is synced when, and syncs take most
     * of the time.
     */
    @BeforeEach
    void place() throws IOException {
        Path memory = Path.of("/dev/shm");
        root = Files.isWritable(memory)
                ? Files.createTempDirectory(memory, "leasehold-test")
                : Files.createTempDirectory("leasehold-test");
    }

    @AfterEach
    void remove() {
        Trees.delete(root);
    }

    @Test
    void writeSurvivesAFailureOfEachCall() throws Exception {
        failEachCall(new Writing(true));
    }

    @Test
    void firstWriteSurvivesAFailureOfEachCall() throws Exception {
        failEachCall(new Writing(false));
    }

    @Test
    void appendSurvivesAFailureOfEachCall() throws Exception {
        failEachCall(new Appending());
    }

    @Test
    void publicationSurvivesAFailureOfEachCall() throws Exception {
        failEachCall(new Publishing());
    }

    private void failEachCall(CrashScenario scenario) throws Exception {
        int faults = new FaultAtEveryCall(root, scenario).failingWith(ERRORS).run(EACH);
        assertThat(faults).isGreaterThanOrEqualTo(MIN_FAULTS);
    }

    @Test
    void writeSurvivesChangesAfterEachCall() throws Exception {
        int faults = new FaultAtEveryCall(root, new Writing(true))
                .changing("staged removed", FailingCallsTest::removeStaged)
                .changing("target removed", directory -> Files.deleteIfExists(directory.resolve("page")))
                .changing("target replaced by a directory", directory -> {
                    Files.deleteIfExists(directory.resolve("page"));
                    Files.createDirectory(directory.resolve("page"));
                })
                .changing(
                        "fence removed", directory -> Files.deleteIfExists(directory.resolve(".page.leasehold-fence")))
                .run(EACH);
        assertThat(faults).isGreaterThanOrEqualTo(MIN_FAULTS);
    }

    @Test
    void appendSurvivesChangesAfterEachCall() throws Exception {
        int faults = new FaultAtEveryCall(root, new Appending())
                .changing("log rotated", FailingCallsTest::rotate)
                .changing("log rotated and started by another program", directory -> {
                    rotate(directory);
                    Files.writeString(directory.resolve("log"), "started by another program\n");
                })
                .changing("staged removed", FailingCallsTest::removeStaged)
                .run(EACH);
        assertThat(faults).isGreaterThanOrEqualTo(MIN_FAULTS);
    }

    @Test
    void publicationSurvivesChangesAfterEachCall() throws Exception {
        int faults = new FaultAtEveryCall(root, new Publishing())
                .changing("link removed", directory -> Files.deleteIfExists(directory.resolve("site")))
                .changing("staged trees removed", FailingCallsTest::removeStagedTrees)
                .run(1);
        assertThat(faults).isGreaterThanOrEqualTo(MIN_FAULTS);
    }

    private static void removeStaged(Path directory) throws IOException {
        try (var all = Files.newDirectoryStream(directory, ".*-staged-*")) {
            for (Path staged : all) {
                Files.deleteIfExists(staged);
            }
        }
    }

    private static void removeStagedTrees(Path directory) throws Exception {
        Process gone = new ProcessBuilder("sh", "-c", "rm -rf .site.leasehold/s-* .site.leasehold-staged-*")
                .directory(directory.toFile())
                .start();
        assertThat(gone.waitFor()).isZero();
    }

    private static void rotate(Path directory) throws IOException {
        Path log = directory.resolve("log");
        if (Files.exists(log)) {
            Files.move(log, directory.resolve("log.rotated"));
        }
    }

    /** The answer says done, not done or unknown. */
    private static void requireAnswer(String answer, String point) {
        assertThat(answer)
                .as(point)
                .matches("Admitted.*|AlreadyWritten.*|failed TargetUnavailableException .*(" + NOTHING_WRITTEN
                        + "|nothing was published|unknown|not raised).*");
    }

    private record Writing(boolean guarded) implements CrashScenario {
        @Override
        public void prepare(Path directory) throws IOException {
            Path page = Files.writeString(directory.resolve("page"), "old");
            if (guarded) {
                assertThat(FencedFile.at(page).admitOnce(grant(3), Content.of("old")))
                        .isInstanceOf(Admission.Admitted.class);
            }
        }

        @Override
        public String script(Path directory) {
            Path page = directory.resolve("page");
            return (guarded ? "raise " + page + " " + text(4) + ";" : "") + "once " + page + " " + text(4) + " new";
        }

        @Override
        public void check(Path directory, List<String> answers, String point) throws IOException {
            Path page = directory.resolve("page");
            answers.forEach(answer -> requireAnswer(answer, point));
            String answer = answers.get(answers.size() - 1);
            boolean targetUntouched = !point.startsWith("target");
            if (Files.isDirectory(page)) {
                Files.delete(page);
            }
            FencedFile file = FencedFile.at(page);
            if (targetUntouched) {
                boolean whole = answer.startsWith("Admitted") || answer.startsWith("Already");
                assertThat(Files.readString(page))
                        .as("%s: %s", point, answer)
                        .isIn(
                                whole
                                        ? List.of("new")
                                        : answer.contains(NOTHING_WRITTEN) ? List.of("old") : List.of("old", "new"));
                Admission again = file.admitOnce(grant(4), Content.of("new"));
                assertThat(again)
                        .as("retry, %s: %s", point, answer)
                        .isInstanceOfAny(Admission.Admitted.class, Admission.AlreadyWritten.class);
                assertThat(page).as("retry, %s: %s", point, answer).hasContent("new");
            }
            assertThat(file.raise(grant(5))).as(point).isInstanceOf(Admission.Admitted.class);
            assertThat(file.admit(grant(4), Content.of("zombie"))).as(point).isInstanceOf(Admission.Stale.class);
            assertThat(file.admit(grant(5), Content.of("next"))).as(point).isInstanceOf(Admission.Admitted.class);
            assertThat(page).as(point).hasContent("next");
        }
    }

    private record Appending() implements CrashScenario {
        private static final String LONG = "long-record".repeat(1000);

        @Override
        public void prepare(Path directory) {
            FencedLog log = FencedLog.at(directory.resolve("log"));
            assertThat(log.admit(grant(3), Content.of("first"))).isInstanceOf(Admission.Admitted.class);
        }

        @Override
        public String script(Path directory) {
            String log = directory.resolve("log") + " " + text(4) + " ";
            return "append " + log + "second;append-once " + log + "third;append " + log + LONG;
        }

        @Override
        public void check(Path directory, List<String> answers, String point) throws IOException {
            answers.forEach(answer -> requireAnswer(answer, point));
            FencedLog log = FencedLog.at(directory.resolve("log"));
            assertThat(log.raise(grant(4))).as(point).isInstanceOf(Admission.Admitted.class);
            assertThat(log.admitOnce(grant(4), Content.of("third")))
                    .as("retry, %s", point)
                    .isInstanceOfAny(Admission.Admitted.class, Admission.AlreadyWritten.class);
            assertThat(log.raise(grant(5))).as(point).isInstanceOf(Admission.Admitted.class);
            assertThat(log.admit(grant(4), Content.of("zombie"))).as(point).isInstanceOf(Admission.Stale.class);
            assertThat(log.admit(grant(5), Content.of("next"))).as(point).isInstanceOf(Admission.Admitted.class);
            List<String> records = List.of("second", "third", LONG);
            List<String> found = linesOfAllLogs(directory);
            List<String> expected = new ArrayList<>(List.of("first", "third", "next"));
            for (int i = 0; i < answers.size(); i++) {
                String record = records.get(i);
                boolean there = found.contains(record);
                assertThat(there || !answers.get(i).startsWith("Admitted"))
                        .as("acknowledged, %s: %s", point, answers.get(i))
                        .isTrue();
                if (there && !expected.contains(record)) {
                    assertThat(answers.get(i)).as(point).doesNotContain(NOTHING_WRITTEN);
                    expected.add(record);
                }
            }
            found.remove("started by another program");
            assertThat(found)
                    .as("whole records, each once, %s: %s", point, answers)
                    .containsExactlyInAnyOrderElementsOf(expected);
        }

        private static List<String> linesOfAllLogs(Path directory) throws IOException {
            List<String> lines = new ArrayList<>();
            try (var files = Files.newDirectoryStream(directory, "log*")) {
                for (Path file : files) {
                    lines.addAll(Files.readAllLines(file));
                }
            }
            return lines;
        }
    }

    private record Publishing() implements CrashScenario {
        @Override
        public void prepare(Path directory) throws IOException {
            Files.writeString(Files.createDirectory(directory.resolve("old")).resolve("page"), "old page");
            Files.writeString(Files.createDirectory(directory.resolve("new")).resolve("page"), "new page");
            assertThat(site(directory).admitOnce(grant(3), directory.resolve("old")))
                    .isInstanceOf(Admission.Admitted.class);
        }

        @Override
        public String script(Path directory) {
            return "publish " + directory.resolve("site") + " " + text(4) + " " + directory.resolve("new");
        }

        @Override
        public void check(Path directory, List<String> answers, String point) throws IOException {
            String answer = answers.get(0);
            requireAnswer(answer, point);
            Path site = directory.resolve("site");
            Map<String, String> before = tree(directory.resolve("old"));
            Map<String, String> after = tree(directory.resolve("new"));
            if (!point.startsWith("link")) {
                assertThat(tree(site))
                        .as("%s: %s", point, answer)
                        .isIn(
                                answer.startsWith("Admitted")
                                        ? List.of(after)
                                        : answer.contains("unknown") ? List.of(before, after) : List.of(before));
                assertThat(site(directory).admitOnce(grant(4), directory.resolve("new")))
                        .as("retry, %s: %s", point, answer)
                        .isInstanceOfAny(Admission.Admitted.class, Admission.AlreadyWritten.class);
                assertThat(tree(site)).as("retry, %s: %s", point, answer).isEqualTo(after);
            }
            assertThat(site(directory).raise(grant(5))).as(point).isInstanceOf(Admission.Admitted.class);
            assertThat(site(directory).admit(grant(4), directory.resolve("new")))
                    .as(point)
                    .isInstanceOf(Admission.Stale.class);
            assertThat(site(directory).admit(grant(5), directory.resolve("old")))
                    .as(point)
                    .isInstanceOf(Admission.Admitted.class);
            assertThat(tree(site)).as(point).isEqualTo(before);
        }

        private static FencedDirectory site(Path directory) {
            return FencedDirectory.at(directory.resolve("site")).keeping(0);
        }
    }
}
