package dev.leasehold.fence;

import static dev.leasehold.fence.FencedFileKillTest.grant;
import static dev.leasehold.fence.FencedFileKillTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.crash.CrashScenario;
import dev.leasehold.crash.KillAtEveryCall;
import dev.leasehold.model.Admission;
import dev.leasehold.testkit.environment.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A writer dies while it appends. After the next step the log contains only whole records, and
 * every acknowledged one.
 */
@Requires("strace")
class FencedLogKillTest {
    private static final String SHORT = "short-record";
    private static final String LONG = "long-record".repeat(1000);

    @TempDir
    Path root;

    @Test
    void killedWhileAppendingAShortAndALongRecord() throws Exception {
        int points = new KillAtEveryCall(root, new Appending(true)).run();
        assertThat(points).as("points at which a writer was killed").isGreaterThanOrEqualTo(8);
    }

    @Test
    void killedWhileAppendingTheFirstRecord() throws Exception {
        int points = new KillAtEveryCall(root, new Appending(false)).run();
        assertThat(points).as("points at which a writer was killed").isGreaterThanOrEqualTo(5);
    }

    private record Appending(boolean guarded) implements CrashScenario {
        @Override
        public void prepare(Path directory) {
            if (guarded) {
                assertThat(log(directory).admit(grant(3), Content.of("first"))).isInstanceOf(Admission.Admitted.class);
            }
        }

        @Override
        public String script(Path directory) {
            String append = "append " + directory.resolve("log") + " " + text(4) + " ";
            return append + SHORT + (guarded ? ";" + append + LONG : "");
        }

        @Override
        public void check(Path directory, List<String> answers, String point) throws IOException {
            FencedLog log = log(directory);
            assertThat(log.raise(grant(5))).as("raise, %s", point).isInstanceOf(Admission.Admitted.class);
            List<String> all = guarded ? List.of("first", SHORT, LONG) : List.of(SHORT);
            List<String> found = lines(directory);
            assertThat(found)
                    .as("whole records in their order, %s", point)
                    .isEqualTo(all.subList(0, found.size()))
                    .hasSizeGreaterThanOrEqualTo(answers.size() + (guarded ? 1 : 0));
            assertThat(log.admit(grant(4), Content.of("zombie")))
                    .as("zombie, %s", point)
                    .isInstanceOf(Admission.Stale.class);
            assertThat(log.admit(grant(5), Content.of("next"))).isInstanceOf(Admission.Admitted.class);
            List<String> withNext = new ArrayList<>(found);
            withNext.add("next");
            assertThat(lines(directory)).as("successor, %s", point).isEqualTo(withNext);
        }

        private static List<String> lines(Path directory) throws IOException {
            Path log = directory.resolve("log");
            if (!Files.exists(log)) {
                return List.of();
            }
            String text = Files.readString(log);
            assertThat(text.isEmpty() || text.endsWith("\n")).isTrue();
            return text.lines().toList();
        }

        private static FencedLog log(Path directory) {
            return FencedLog.at(directory.resolve("log")).waitingAtMost(Duration.ofMillis(500));
        }
    }
}
