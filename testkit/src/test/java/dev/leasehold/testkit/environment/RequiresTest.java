package dev.leasehold.testkit.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * A test whose requirements are not met fails in a continuous build; elsewhere it is left out and
 * listed.
 */
class RequiresTest {
    private static final boolean CONTINUOUS_BUILD = "true".equals(System.getenv("CI"));

    @TempDir
    Path directory;

    private String root;

    @BeforeEach
    void useAnotherRoot() {
        root = System.setProperty("leasehold.root", directory.toString());
    }

    @AfterEach
    void restoreTheRoot() {
        if (root == null) {
            System.clearProperty("leasehold.root");
        } else {
            System.setProperty("leasehold.root", root);
        }
    }

    @Test
    void continuousBuildFailsAndSaysWhatIsMissingAndHowToInstallIt() {
        Path list = directory.resolve("list");
        Requirements requirements = new Requirements(true, list);
        assertThatThrownBy(() -> requirements.leaveOut("a.B#c", List.of("strace", "git")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("a.B#c needs strace, git", "CI=true", "scripts/install-test-packages");
        assertThat(list).doesNotExist();
    }

    @Test
    void continuousBuildLeavesOutWhatNeedsAProgramThatCannotBeInstalled() {
        Requirements requirements = new Requirements(true, directory.resolve("target/list"));
        String emulator = InstalledProgram.FIRESTORE;
        assertThat(requirements.leaveOut("a.B", List.of(emulator))).contains("needs " + emulator);
        assertThat(directory.resolve("target/list")).hasContent("a.B: needs " + emulator + "\n");
        assertThatThrownBy(() -> requirements.leaveOut("a.B", List.of(emulator, "strace")))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void everyTestThatIsLeftOutIsListedOnOneLine() {
        Path list = directory.resolve("target/list");
        Requirements requirements = new Requirements(false, list);
        assertThat(requirements.leaveOut("a.B#c", List.of("strace", "git"))).contains("needs strace, git");
        assertThat(requirements.leaveOut("a.D", List.of("pgbouncer"))).contains("needs pgbouncer");
        assertThat(list).hasContent("a.B#c: needs strace, git\na.D: needs pgbouncer\n");
    }

    @Test
    void testWhoseRequirementsAreMetIsNotListed() {
        assertThat(new Requirements(false, directory.resolve("list")).leaveOut("a.B#c", List.of()))
                .isEmpty();
        assertThat(new Requirements(true, directory.resolve("list")).leaveOut("a.B#c", List.of()))
                .isEmpty();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void methodsAreLeftOutOneByOne() throws Exception {
        TestExecutionSummary summary = run(Methods.class);
        assertThat(summary.getTestsSucceededCount()).isEqualTo(2);
        assertMissing(summary.getTestsSkippedCount() + summary.getTestsAbortedCount(), 2, summary);
        assertListed(
                Methods.class.getName() + "#needsAProgramThatIsMissing: needs no-such-program",
                Methods.class.getName() + "#needsARightThatIsMissing: needs to run on the moon");
    }

    @Test
    void classIsLeftOutBeforeItStartsAnything() throws Exception {
        TestExecutionSummary summary = run(WholeClass.class);
        assertThat(summary.getTestsStartedCount()).isZero();
        assertThat(Base.started).isFalse();
        assertMissing(summary.getContainersSkippedCount(), 1, summary);
        assertListed(WholeClass.class.getName() + ": needs no-such-server, no-such-program");
    }

    @Test
    void missingLibraryOrProgramIsNotFound() {
        assertThat(InstalledProgram.find("sh")).isPresent();
        assertThat(InstalledProgram.find("no-such-program")).isEmpty();
        assertThatThrownBy(() -> InstalledProgram.require("no-such-program"))
                .hasMessageContainingAll("no-such-program is not installed", "scripts/install-test-packages");
    }

    private static void assertMissing(long leftOut, long expected, TestExecutionSummary summary) {
        assertThat(leftOut).isEqualTo(CONTINUOUS_BUILD ? 0 : expected);
        assertThat(summary.getTotalFailureCount()).isEqualTo(CONTINUOUS_BUILD ? expected : 0);
    }

    private void assertListed(String... lines) throws Exception {
        Path list = directory.resolve("target/left-out");
        if (CONTINUOUS_BUILD) {
            assertThat(list).doesNotExist();
        } else {
            assertThat(Files.readAllLines(list)).containsExactlyInAnyOrder(lines);
        }
    }

    private static TestExecutionSummary run(Class<?> tests) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(tests))
                                .build(),
                        listener);
        return listener.getSummary();
    }

    static class Methods {
        @Test
        void needsNothing() {}

        @Test
        @Requires("sh")
        void needsAProgramThatIsThere() {}

        @Test
        @Requires({"sh", "no-such-program"})
        void needsAProgramThatIsMissing() {
            throw new AssertionError("it ran");
        }

        @Test
        void needsARightThatIsMissing(TestInfo test) {
            Requirements.require(test, true, "to run on the earth");
            Requirements.require(test, false, "to run on the moon");
            throw new AssertionError("it went on");
        }
    }

    @Requires("no-such-program")
    abstract static class Base {
        static boolean started;

        @BeforeAll
        static void start() {
            started = true;
        }
    }

    @Requires({"sh", "no-such-server"})
    static class WholeClass extends Base {
        @Test
        void needsBoth() {
            throw new AssertionError("it ran");
        }
    }
}
