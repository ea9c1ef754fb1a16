package dev.leasehold.fence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.crash.Actor;
import dev.leasehold.crash.CrashScenario;
import dev.leasehold.crash.KillAtEveryCall;
import dev.leasehold.model.Admission;
import dev.leasehold.model.FenceState;
import dev.leasehold.model.Grant;
import dev.leasehold.testkit.environment.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A writer that dies between any two system calls leaves the old artifact or the new one, and a
 * fence that matches it.
 */
@Requires("strace")
public class FencedFileKillTest {
    private static final String OLD = "old-content-that-is-whole";
    private static final String NEW = "new-content-that-is-whole-and-longer";

    @TempDir
    Path root;

    @Test
    void killedWhileAFileIsGuardedForTheFirstTime() throws Exception {
        int points = new KillAtEveryCall(root, new Writing(4) {
                    @Override
                    void guard(FencedFile file) {}

                    @Override
                    public String script(Path directory) {
                        return "once " + directory.resolve("page") + " " + text(4) + " " + NEW;
                    }
                })
                .run();
        assertThat(points).as("points at which a writer was killed").isGreaterThanOrEqualTo(8);
    }

    @Test
    void killedWhileAGuardedFileIsRaisedAndReplaced() throws Exception {
        int points = new KillAtEveryCall(root, new Writing(4) {
                    @Override
                    void guard(FencedFile file) {
                        assertThat(file.admitOnce(grant(3), Content.of(OLD))).isInstanceOf(Admission.Admitted.class);
                    }

                    @Override
                    public String script(Path directory) {
                        Path page = directory.resolve("page");
                        return "raise " + page + " " + text(4) + ";once " + page + " " + text(4) + " " + NEW;
                    }
                })
                .run();
        assertThat(points).as("points at which a writer was killed").isGreaterThanOrEqualTo(8);
    }

    private abstract static class Writing implements CrashScenario {
        private final long token;

        Writing(long token) {
            this.token = token;
        }

        abstract void guard(FencedFile file);

        @Override
        public void prepare(Path directory) throws IOException {
            Path page = directory.resolve("page");
            Files.writeString(page, OLD);
            Files.setPosixFilePermissions(page, PosixFilePermissions.fromString("rw-r-----"));
            guard(FencedFile.at(page));
        }

        @Override
        public void check(Path directory, List<String> answers, String point) throws IOException {
            Path page = directory.resolve("page");
            boolean acknowledged =
                    answers.contains("Admitted[token=" + token + "]") && answers.size() == commandCount(directory);
            FencedFile file = FencedFile.at(page).waitingAtMost(Duration.ofMillis(500));

            String found = Files.readString(page);
            assertThat(found).as("artifact, %s", point).isIn(OLD, NEW);
            if (acknowledged) {
                assertThat(found).as("acknowledged, %s", point).isEqualTo(NEW);
            }
            long raised = file.state().map(state -> state.raised().value()).orElse(0L);
            if (found.equals(NEW)) {
                assertThat(raised).as("fence below what was written, %s", point).isEqualTo(token);
            }
            if (answers.size() == 2 || raised == token) {
                assertThat(file.admit(grant(token - 1), Content.of("zombie")))
                        .as("zombie, %s", point)
                        .isInstanceOf(Admission.Stale.class);
            }
            retryConverges(file, page, point, acknowledged);
            successorGoesOn(file, page, point);
        }

        private int commandCount(Path directory) {
            return script(directory).split(";", -1).length;
        }

        private void retryConverges(FencedFile file, Path page, String point, boolean acknowledged) throws IOException {
            String afterRecovery = Files.readString(page);
            Admission again = file.admitOnce(grant(token), Content.of(NEW));
            if (acknowledged) {
                assertThat(again).as("retry, %s", point).isInstanceOf(Admission.AlreadyWritten.class);
            }
            if (again instanceof Admission.AlreadyWritten) {
                assertThat(afterRecovery).as("reported as written, %s", point).isEqualTo(NEW);
            } else {
                assertThat(again).as("retry, %s", point).isInstanceOf(Admission.Admitted.class);
            }
            assertThat(page).as("after the retry, %s", point).hasContent(NEW);
            assertThat(file.admitOnce(grant(token), Content.of("other")))
                    .as("a second write of one grant, %s", point)
                    .isInstanceOf(Admission.OnceUsed.class);
        }

        private void successorGoesOn(FencedFile file, Path page, String point) throws IOException {
            assertThat(file.raise(grant(token + 1))).as("raise, %s", point).isInstanceOf(Admission.Admitted.class);
            assertThat(file.admit(grant(token), Content.of("zombie")))
                    .as("zombie, %s", point)
                    .isInstanceOf(Admission.Stale.class);
            assertThat(file.admit(grant(token + 1), Content.of("next")))
                    .as("successor, %s", point)
                    .isInstanceOf(Admission.Admitted.class);
            assertThat(page).as("successor, %s", point).hasContent("next");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(page)))
                    .as("mode, %s", point)
                    .isEqualTo("rw-r-----");
            assertThat(file.state().map(FenceState::raised).orElseThrow().value())
                    .isEqualTo(token + 1);
            try (Stream<Path> left = Files.list(page.getParent())) {
                assertThat(left)
                        .as("page, fence and leftovers of one crash, %s", point)
                        .hasSizeLessThanOrEqualTo(4);
            }
        }
    }

    public static Grant grant(long token) {
        return Actor.grant(text(token));
    }

    static String text(long token) {
        return "lh1," + token + ",attempt-" + (1000 + token) + ",store-0001,page";
    }
}
