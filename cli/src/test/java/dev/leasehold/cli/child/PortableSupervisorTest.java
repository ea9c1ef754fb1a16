package dev.leasehold.cli.child;

import static dev.leasehold.cli.child.Linux.alive;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.environment.Requires;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The supervisor on systems without {@code setsid} and {@code /proc}: it uses perl and the wall
 * clock.
 */
@Requires("perl")
@Timeout(20)
class PortableSupervisorTest {
    @TempDir
    Path folder;

    private static SupervisedRuns start(Duration left, Duration grace, String... argv) throws IOException {
        Platform here = Platform.detect();
        CommandLookup.Found perl = (CommandLookup.Found) CommandLookup.resolve("perl", System.getenv("PATH"));
        return SupervisedRuns.start(
                new Platform(here.bash(), here.mkfifo(), here.rm(), perl.file(), null), left, grace, argv);
    }

    @Test
    void exitCodeAndArgumentsAreExact() throws Exception {
        SupervisedRuns run = start(
                Duration.ofSeconds(30),
                Duration.ofSeconds(1),
                "sh",
                "-c",
                "printf '<%s>' \"$@\"; exit 3",
                "sh",
                "-e",
                "",
                "a b");
        assertThat(run.command.waitFor()).isEqualTo(3);
        assertThat(run.out()).isEqualTo("<-e><><a b>");
    }

    @Test
    void missingCommandIs127() throws Exception {
        SupervisedRuns run = start(Duration.ofSeconds(30), Duration.ofSeconds(1), folder + "/vanished");
        assertThat(run.command.waitFor()).isEqualTo(127);
        assertThat(run.err()).contains("vanished");
    }

    @Test
    void leftoversAreDeadBeforeTheEndIsReported() throws Exception {
        SupervisedRuns run = start(
                Duration.ofSeconds(30), Duration.ofSeconds(1), "sh", "-c", "sleep 60 & echo $! >$0", folder + "/pid");
        assertThat(run.command.waitFor()).isZero();
        assertThat(alive(Linux.pidIn(folder.resolve("pid")))).isFalse();
    }

    @Test
    void withoutARenewalTheCommandIsDeadBeforeTheDeadline() throws Exception {
        Path signs = folder.resolve("signs");
        SupervisedRuns run =
                start(Duration.ofMillis(2500), Duration.ofSeconds(1), "bash", "-c", Linux.STUBBORN, signs.toString());
        assertThat(run.command.waitFor()).isEqualTo(137);
        assertThat(Linux.lastSignOfLife(signs)).isBetween(run.deadline() - 0.5, run.deadline());
        assertThat(run.command.endedAtDeadline()).isTrue();
    }

    @Test
    void renewalAndStopArrive() throws Exception {
        SupervisedRuns run = start(Duration.ofMillis(1500), Duration.ofMillis(100), "sleep", "60");
        run.command.extend(() -> Duration.ofSeconds(30));
        assertThat(run.command.waitFor(Duration.ofSeconds(2))).isFalse();
        run.command.stop();
        assertThat(run.command.waitFor()).isEqualTo(143);
    }

    @Test
    void killedSupervisorAndWatcherDoNotLeaveTheCommandRunning() throws Exception {
        SupervisedRuns run = start(Duration.ofSeconds(30), Duration.ofMillis(200), "sleep", "60");
        long pid = run.pid();
        for (ProcessHandle process : run.supervisorAndWatcher()) {
            process.destroyForcibly();
        }
        assertThat(run.command.waitFor()).isEqualTo(137);
        assertThat(alive(pid)).isFalse();
    }
}
