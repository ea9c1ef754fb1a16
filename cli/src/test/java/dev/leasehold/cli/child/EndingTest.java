package dev.leasehold.cli.child;

import static dev.leasehold.cli.child.Linux.alive;
import static dev.leasehold.cli.child.Linux.eventually;
import static dev.leasehold.cli.child.Linux.uptime;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How a command and the processes that it started end. */
@Timeout(60)
class EndingTest {
    @TempDir
    Path folder;

    @Test
    void leftoversAreDeadBeforeTheEndIsReported() throws Exception {
        SupervisedRuns run = SupervisedRuns.start(
                "sh", "-c", "sleep 60 & echo $! >$0/a; (sleep 60 & echo $! >$0/b); exit 4", folder.toString());
        assertThat(run.command.waitFor()).isEqualTo(4);
        assertThat(alive(Linux.pidIn(folder.resolve("a")))).isFalse();
        assertThat(alive(Linux.pidIn(folder.resolve("b")))).isFalse();
    }

    @Test
    void leftoverInItsOwnGroupIsDeadToo() throws Exception {
        // timeout and a shell's job control both create process groups inside the session.
        SupervisedRuns run = SupervisedRuns.start(
                "bash", "-c", "set -m; timeout 60 sleep 60 & echo $! >$0/a; exit 4", folder.toString());
        double exited = uptime();
        assertThat(run.command.waitFor()).isEqualTo(4);
        assertThat(alive(Linux.pidIn(folder.resolve("a")))).isFalse();
        assertThat(uptime()).as("TERM suffices").isLessThan(exited + 4);
    }

    @Test
    void leftoverThatIgnoresTermIsKilledAfterTheGrace() throws Exception {
        Path signs = folder.resolve("signs");
        SupervisedRuns run = SupervisedRuns.start(
                Duration.ofSeconds(30),
                Duration.ofMillis(300),
                "bash",
                "-c",
                "bash -c \"$1\" $0 & echo $! >$0.pid; sleep 0.2; exit 5",
                signs.toString(),
                Linux.STUBBORN);
        assertThat(run.command.waitFor()).isEqualTo(5);
        assertThat(alive(Linux.pidIn(folder.resolve("signs.pid")))).isFalse();
        assertThat(run.command.endedAtDeadline()).isFalse();
    }

    @Test
    void stopEndsGrandchildren() throws Exception {
        SupervisedRuns run = SupervisedRuns.start(
                "bash", "-c", "(sleep 60 & echo $! >$0/a; wait) & timeout 60 sleep 61; true", folder.toString());
        long grandchild = Linux.pidIn(folder.resolve("a"));
        run.command.stop();
        assertThat(run.command.waitFor()).isEqualTo(143);
        assertThat(alive(grandchild)).isFalse();
    }

    @Test
    void stopGivesTheCommandItsGrace() throws Exception {
        SupervisedRuns run = SupervisedRuns.start(
                "bash", "-c", "trap 'echo tidied; exit 7' TERM; echo ready; while :; do sleep 0.02; done");
        run.awaitOutput("ready");
        run.command.stop();
        assertThat(run.command.waitFor()).isEqualTo(7);
        assertThat(run.out()).contains("tidied");
    }

    @Test
    void commandThatIgnoresTermIsKilledAfterTheGrace() throws Exception {
        SupervisedRuns run = SupervisedRuns.start(
                Duration.ofSeconds(30), Duration.ofSeconds(2), "bash", "-c", Linux.STUBBORN, folder + "/signs");
        run.awaitOutput("ready");
        double asked = uptime();
        run.command.stop();
        assertThat(run.command.waitFor()).isEqualTo(137);
        // A busy machine may not let it give a sign in the last part of its grace.
        assertThat(Linux.lastSignOfLife(folder.resolve("signs"))).isBetween(asked + 0.5, asked + 10);
        assertThat(run.command.endedAtDeadline()).isFalse();
    }

    @Test
    void withoutARenewalEverythingIsDeadBeforeTheDeadline() throws Exception {
        Path signs = folder.resolve("signs");
        SupervisedRuns run = SupervisedRuns.start(
                Duration.ofMillis(2500), Duration.ofSeconds(1), "bash", "-c", Linux.STUBBORN, signs.toString());
        assertThat(run.command.waitFor()).isEqualTo(137);
        assertThat(uptime()).isGreaterThan(run.deadline() - 0.5);
        assertThat(Linux.lastSignOfLife(signs)).isBetween(run.deadline() - 0.5, run.deadline());
        assertThat(run.command.endedAtDeadline()).isTrue();
    }

    @Test
    void termComesOneGraceBeforeTheDeadline() throws Exception {
        SupervisedRuns run = SupervisedRuns.start(Duration.ofSeconds(5), Duration.ofSeconds(3), "sleep", "60");
        assertThat(run.command.waitFor()).isEqualTo(143);
        assertThat(uptime()).isLessThan(run.deadline() - 0.3);
        assertThat(run.command.endedAtDeadline()).isTrue();
    }

    @Test
    void stoppedCommandIsDeadBeforeTheDeadlineToo() throws Exception {
        SupervisedRuns run = SupervisedRuns.start(Duration.ofSeconds(5), Duration.ofSeconds(2), "sleep", "60");
        Linux.signal("STOP", -run.pid());
        assertThat(run.command.waitFor()).isEqualTo(143);
        assertThat(uptime()).isLessThan(run.deadline());
    }

    @Test
    void renewalMovesTheDeadline() throws Exception {
        SupervisedRuns run = SupervisedRuns.start(Duration.ofSeconds(3), Duration.ofMillis(100), "sleep", "3.6");
        for (int n = 0; n < 3; n++) {
            assertThat(run.command.waitFor(Duration.ofMillis(800))).isFalse();
            run.command.extend(() -> Duration.ofSeconds(3));
        }
        assertThat(run.command.waitFor()).isZero();
        assertThat(run.command.endedAtDeadline()).isFalse();
    }

    @Test
    void lateRenewalDoesNotReviveACommandThatIsBeingEnded() throws Exception {
        SupervisedRuns run = SupervisedRuns.start(
                Duration.ofSeconds(5),
                Duration.ofSeconds(2),
                "bash",
                "-c",
                "trap 'echo term' TERM; while :; do sleep 0.02; done");
        run.awaitOutput("term");
        run.command.extend(() -> Duration.ofSeconds(30));
        assertThat(run.command.waitFor()).isEqualTo(137);
        assertThat(uptime()).isLessThan(run.deadline() + 3);
        assertThat(run.command.endedAtDeadline()).isTrue();
    }

    @Test
    void commandIsNotStartedAfterItsDeadline() throws Exception {
        SupervisedRuns run = SupervisedRuns.start(Duration.ZERO, Duration.ofMillis(100), "touch", folder + "/started");
        assertThat(run.command.waitFor()).isEqualTo(137);
        assertThat(folder.resolve("started")).doesNotExist();
        assertThat(run.command.endedAtDeadline()).isTrue();
        assertThat(run.command.pid()).isEmpty();
    }

    @Test
    void signalReachesTheWholeGroup() throws Exception {
        SupervisedRuns run = SupervisedRuns.start(
                "bash",
                "-c",
                "trap 'echo parent' USR1; bash -c \"trap 'echo child; exit' USR1; echo ready; while :; do sleep 0.02; done\" &"
                        + " while :; do wait; test $? -le 128 && break; done; exit 6");
        run.awaitOutput("ready");
        run.command.signal("USR1");
        assertThat(run.command.waitFor()).isEqualTo(6);
        assertThat(run.out()).contains("parent").contains("child");
    }

    @Test
    void interruptedThreadCanStillStopItsCommand() throws Exception {
        SupervisedRuns run = SupervisedRuns.start("sleep", "60");
        Thread.currentThread().interrupt();
        run.command.stop();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(run.command.waitFor()).isEqualTo(143);
    }

    @Test
    void killedSupervisorDoesNotLeaveTheCommandRunning() throws Exception {
        SupervisedRuns run = SupervisedRuns.start("sleep", "60");
        long pid = run.pid();
        Linux.signal("KILL", run.supervisorAndWatcher().get(0).pid());
        assertThat(run.command.waitFor()).isEqualTo(137);
        assertThat(alive(pid)).isFalse();
    }

    @Test
    void killedSupervisorAndWatcherDoNotLeaveTheCommandRunning() throws Exception {
        Path signs = folder.resolve("signs");
        SupervisedRuns run = SupervisedRuns.start(
                Duration.ofSeconds(30), Duration.ofMillis(200), "bash", "-c", Linux.STUBBORN, signs.toString());
        run.awaitOutput("ready");
        long pid = run.pid();
        List<ProcessHandle> both = run.supervisorAndWatcher();
        Linux.signal("KILL", both.get(1).pid());
        Linux.signal("KILL", both.get(0).pid());
        assertThat(run.command.waitFor()).isEqualTo(137);
        assertThat(alive(pid)).isFalse();
    }

    @Test
    void frozenSupervisorAndWatcherDoNotKeepTheCommandAlivePastTheDeadline() throws Exception {
        Path signs = folder.resolve("signs");
        SupervisedRuns run = SupervisedRuns.start(
                Duration.ofSeconds(6), Duration.ofMillis(200), "bash", "-c", Linux.STUBBORN, signs.toString());
        run.awaitOutput("ready");
        List<ProcessHandle> both = run.supervisorAndWatcher();
        Linux.signal("STOP", both.get(0).pid());
        Linux.signal("STOP", both.get(1).pid());
        assertThat(run.command.waitFor()).isEqualTo(137);
        // On a busy machine the wrapper, which acts at the deadline, may itself have to wait for a
        // processor.
        assertThat(Linux.lastSignOfLife(signs)).isLessThan(run.deadline() + 2);
        assertThat(run.command.endedAtDeadline()).isTrue();
        eventually("the watcher is gone", () -> !alive(both.get(1).pid()));
    }

    @Test
    void killedWatcherDoesNotKeepTheCommandAlivePastTheDeadline() throws Exception {
        SupervisedRuns run = SupervisedRuns.start(Duration.ofSeconds(4), Duration.ofMillis(200), "sleep", "60");
        Linux.signal("KILL", run.supervisorAndWatcher().get(1).pid());
        assertThat(run.command.waitFor()).isEqualTo(137);
        assertThat(uptime()).isLessThan(run.deadline() + 3);
        assertThat(run.command.endedAtDeadline()).isTrue();
    }

    @Test
    void supervisorAndWatcherIgnoreOrdinarySignals() throws Exception {
        SupervisedRuns run = SupervisedRuns.start("sleep", "60");
        for (ProcessHandle process : run.supervisorAndWatcher()) {
            for (String name : List.of("HUP", "INT", "TERM", "USR1", "TSTP")) {
                Linux.signal(name, process.pid());
            }
        }
        assertThat(run.command.waitFor(Duration.ofMillis(400))).isFalse();
        run.command.stop();
        assertThat(run.command.waitFor()).isEqualTo(143);
    }

    @Test
    void noProcessOfTheSupervisorStaysBehind(@TempDir Path directory) throws Exception {
        Path end = directory.resolve("end");
        SupervisedRuns run = SupervisedRuns.start("sh", "-c", "until [ -e '" + end + "' ]; do sleep 0.05; done");
        List<ProcessHandle> both = run.supervisorAndWatcher();
        Files.createFile(end);
        run.command.waitFor();
        assertThat(both).noneMatch(process -> alive(process.pid()));
    }
}
