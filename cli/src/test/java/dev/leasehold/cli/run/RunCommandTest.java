package dev.leasehold.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code leasehold run} with real processes. */
class RunCommandTest {
    @TempDir
    Path scratch;

    private CliRunner cli;
    private String leasehold;

    @BeforeEach
    void setUp() throws IOException {
        cli = CliRunner.withStore(scratch.resolve("store")).in(scratch);
        leasehold = cli.script(scratch).toString();
    }

    private static String[] run(String name, String... rest) {
        return Stream.concat(Stream.of("run", name), Stream.of(rest)).toArray(String[]::new);
    }

    private String[] shell(String script, String... options) {
        return Stream.of(List.of("run", "job"), List.of(options), List.of("--", "sh", "-c", script))
                .flatMap(List::stream)
                .toArray(String[]::new);
    }

    private Path file(String name) {
        return scratch.resolve(name);
    }

    private void await(Path file) throws InterruptedException {
        for (int i = 0; i < 8000 && !Files.exists(file); i++) {
            Thread.sleep(5);
        }
        assertThat(file).exists();
    }

    /** A process that has ended may still be listed until its parent has reaped it. */
    private boolean isAlive(String pidFile) throws IOException {
        Path stat = Path.of("/proc", Files.readString(file(pidFile)).strip(), "stat");
        try {
            return !Files.readString(stat).contains(") Z ");
        } catch (IOException e) {
            return false;
        }
    }

    private static int end(Process process) throws InterruptedException {
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    /**
     * Waits until the process handles USR1, as the kernel reports it. The JVM itself does not
     * handle this signal.
     */
    private static void awaitHandlerOfUsr1(long pid) throws Exception {
        for (int i = 0; i < 8000; i++) {
            String status = Files.readString(Path.of("/proc", Long.toString(pid), "status"));
            int caught = status.indexOf("SigCgt:");
            if ((Long.parseUnsignedLong(
                                    status.substring(caught + 7).stripLeading().substring(0, 16), 16)
                            & (1 << 9))
                    != 0) {
                return;
            }
            Thread.sleep(5);
        }
        throw new AssertionError("the process did not install its signal handler");
    }

    private static void signal(String name, long pid) throws Exception {
        assertThat(new ProcessBuilder("kill", "-s", name, Long.toString(pid))
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void theExitCodeIsThatOfTheCommand() {
        assertThat(cli.process(shell("exit 7")).code()).isEqualTo(7);
        assertThat(cli.process(shell("kill -KILL $$")).code()).isEqualTo(137);
    }

    @Test
    void theCommandUsesTheThreeStreams() {
        CliRunner.Result result = cli.stdin("in\n").process(shell("cat; echo out; echo err >&2"));

        assertThat(result.out()).isEqualTo("in\nout\n");
        assertThat(result.err()).isEqualTo("err\n");
    }

    @Test
    void aCommandThatCannotRunDoesNotTakeTheLease() throws IOException {
        Files.writeString(file("data"), "no program");

        assertThat(cli.process(run("job", "--", "no-such-command")).code()).isEqualTo(127);
        assertThat(cli.process(run("job", "--", file("data").toString())).code())
                .isEqualTo(126);
        assertThat(cli.run("history", "job").out()).contains("never held");
    }

    @Test
    void theCommandFindsItsOwnGrantAndNotThatOfAnOuterRun() {
        CliRunner.Result result = cli.env("LEASEHOLD_KEY", "outer")
                .env("LEASEHOLD_CHECKPOINT", "outer")
                .env("LEASEHOLD_ATTEMPT", "9")
                .process(shell(
                        "echo $LEASEHOLD_NAME $LEASEHOLD_TOKEN $LEASEHOLD_HOLDER"
                                + " ${LEASEHOLD_GRANT:+grant} [$LEASEHOLD_KEY$LEASEHOLD_CHECKPOINT$LEASEHOLD_ATTEMPT]",
                        "--holder",
                        "me"));

        assertThat(result.outLine()).isEqualTo("job 1 me grant []");
    }

    @Test
    void aSecondRunSkipsAndIsCountedApartFromFailures() throws Exception {
        Process first = cli.start(shell("touch started; while [ ! -e go ]; do sleep 0.02; done"));
        await(file("started"));

        CliRunner.Result second = cli.process(shell("touch ran-twice"));
        CliRunner.Result third = cli.process(shell("touch ran-twice", "--skip-exit", "42", "--quiet"));
        Files.createFile(file("go"));

        assertThat(second.code()).isZero();
        assertThat(second.err()).contains("busy").contains("skipped");
        assertThat(third.code()).isEqualTo(42);
        assertThat(third.err()).isEmpty();
        assertThat(end(first)).isZero();
        assertThat(file("ran-twice")).doesNotExist();
        assertThat(cli.run("explain", "job").out()).contains("skipped_overlap");
    }

    @Test
    void aRunThatWaitsGetsTheLeaseWhenItIsReleased() throws Exception {
        Process first = cli.start(shell("touch started; while [ ! -e go ]; do sleep 0.02; done; echo first >> order"));
        await(file("started"));
        Process second = cli.start(shell("echo second >> order", "--wait", "50s"));
        Files.createFile(file("go"));

        assertThat(end(first)).isZero();
        assertThat(end(second)).isZero();
        assertThat(file("order")).hasContent("first\nsecond\n");
    }

    @Test
    void anotherNameIsTriedWhenThisOneIsBusy() {
        assertThat(cli.run("acquire", "job").code()).isZero();

        CliRunner.Result result = cli.process(shell("echo $LEASEHOLD_NAME", "--or", "job-2", "--or", "job-3"));

        assertThat(result.outLine()).isEqualTo("job-2");
    }

    @Test
    void aRunThatWasTakenOverIsStoppedWithItsChildren() throws Exception {
        Process run = cli.start(shell(
                "sh -c 'echo $$ > grandchild; sleep 60' & touch started; sleep 60",
                "--ttl",
                "30s",
                "--heartbeat",
                "1s",
                "--report",
                "report"));
        await(file("started"));
        await(file("grandchild"));

        CliRunner.Result takeover = cli.process("takeover", "job", "--reason", "stuck");

        assertThat(takeover.outLine()).isEqualTo("2");
        assertThat(end(run)).isEqualTo(75);
        assertThat(isAlive("grandchild")).isFalse();
        assertThat(file("report")).content().contains("\"outcome\":\"lost\"").contains("\"loss\":\"superseded\"");
        assertThat(cli.run("explain", "job").out())
                .contains("lost_superseded", "stuck", "1 lost (superseded)", "total run time ")
                .doesNotContain("duration_ms");
    }

    @Test
    void aRunWhoseWrapperIsFrozenDiesBeforeItsSuccessorStarts() throws Exception {
        Process frozen = cli.start(shell(
                "echo $$ > pid; while :; do read -r now rest </proc/uptime; echo $now >> alive; sleep 0.02; done",
                "--ttl",
                "6s"));
        await(file("pid"));
        signal("STOP", frozen.pid());

        CliRunner.Result successor = cli.process(shell("read -r now rest </proc/uptime; echo $now", "--wait", "50s"));

        List<String> signs = Files.readAllLines(file("alive"));
        double lastSign = Double.parseDouble(signs.get(signs.size() - 1));
        assertThat(Double.parseDouble(successor.outLine())).isGreaterThan(lastSign);
        assertThat(isAlive("pid")).isFalse();
        signal("CONT", frozen.pid());
        assertThat(end(frozen)).isEqualTo(75);
    }

    @Test
    void aLongRunKeepsItsLease() {
        CliRunner.Result result =
                cli.process(shell("sleep 5; " + leasehold + " check", "--ttl", "4s", "--heartbeat", "500ms"));
        assertThat(result.code()).as(result.err()).isZero();
    }

    @Test
    void aZombiesWriteIsRefusedAndChangesNothing() {
        assertThat(cli.process(shell("echo first | " + leasehold + " write page"))
                        .code())
                .isZero();
        assertThat(cli.process(shell("echo second | " + leasehold + " write page"))
                        .code())
                .isZero();

        CliRunner.Result late = cli.env("LEASEHOLD_NAME", "job")
                .env("LEASEHOLD_TOKEN", "1")
                .stdin("stale")
                .process("write", "page");

        assertThat(late.code()).isEqualTo(13);
        assertThat(file("page")).hasContent("second\n");
    }

    @Test
    void aGuardIsRaisedBeforeTheCommandStarts() {
        CliRunner.Result result = cli.process(shell("true", "--guard", "page"));
        CliRunner.Result repaired =
                cli.process("repair", "job", "--above", "10", "--reason", "test", "--guard", "page");

        assertThat(result.code()).isZero();
        assertThat(repaired.code()).isZero();
        assertThat(cli.stdin("late")
                        .process("write", "page", "--name", "job", "--token", "1")
                        .code())
                .isEqualTo(13);
    }

    @Test
    void aGuardThatRefusesKeepsTheCommandFromStarting() {
        assertThat(cli.process("raise", "page", "--name", "job", "--token", "50")
                        .code())
                .isZero();

        CliRunner.Result result = cli.process(shell("touch started", "--guard", "page"));

        assertThat(result.code()).isEqualTo(13);
        assertThat(result.err()).contains("leasehold repair job --above 50");
        assertThat(file("started")).doesNotExist();
        assertThat(cli.run("status", "job").out()).contains("released");
    }

    @Test
    void signalsReachTheCommandAndItsExitCodeIsReturned() throws Exception {
        for (String name : List.of("INT", "TERM", "HUP", "USR1")) {
            Files.deleteIfExists(file("started"));
            Process run = cli.start(shell("trap 'exit 33' " + name + "; touch started; while :; do sleep 0.02; done"));
            await(file("started"));
            signal(name, run.pid());
            assertThat(end(run)).as(name).isEqualTo(33);
        }
        assertThat(cli.run("status", "job").out()).contains("released");
    }

    @Test
    void aSignalEndsTheWaitForTheLease() throws Exception {
        assertThat(cli.run("acquire", "job").code()).isZero();
        Process waiting = cli.start(shell("touch started", "--wait", "1h", "--report", "report"));
        awaitHandlerOfUsr1(waiting.pid());
        signal("TERM", waiting.pid());

        assertThat(end(waiting)).isEqualTo(143);
        assertThat(file("started")).doesNotExist();
        assertThat(file("report")).content().contains("\"outcome\":\"interrupted\"");
    }

    @Test
    void theTimeoutStopsTheCommand() {
        CliRunner.Result result = cli.process(shell("sleep 60", "--timeout", "300ms", "--report", "report"));

        assertThat(result.code()).isEqualTo(124);
        assertThat(file("report")).content().contains("\"outcome\":\"timed-out\"");
    }

    @Test
    void aSilentCommandIsStoppedAndOneThatPrintsIsNot() {
        CliRunner.Result silent = cli.process(shell(
                "sleep 60",
                "--ttl",
                "9s",
                "--heartbeat",
                "500ms",
                "--progress-within",
                "1s",
                "--progress-on",
                "output"));
        CliRunner.Result talking = cli.process(shell(
                "for i in 1 2 3 4 5; do echo $i; sleep 1; done",
                "--ttl",
                "9s",
                "--progress-within",
                "4s",
                "--progress-on",
                "output"));

        assertThat(silent.code()).isEqualTo(75);
        assertThat(silent.err()).contains("no progress for");
        assertThat(talking.code()).isZero();
        assertThat(talking.out()).isEqualTo("1\n2\n3\n4\n5\n");
    }

    @Test
    void progressReportedByTheCommandItselfCounts() {
        String job =
                "for i in 1 2 3 4; do " + leasehold + " progress --note step-$i --quiet || exit 9; sleep 1.3; done";

        CliRunner.Result result =
                cli.process(shell(job, "--ttl", "15s", "--heartbeat", "1s", "--progress-within", "5s"));

        assertThat(result.code()).isZero();
    }

    @Test
    void aNestedRunThatWouldWaitForItsOuterRunIsRefused() {
        CliRunner.Result result = cli.process(shell(leasehold + " run job --wait 1h -- true"));

        assertThat(result.code()).isEqualTo(64);
        assertThat(result.err()).contains("an outer run holds");
    }

    @Test
    void theReportDistinguishesExit75OfTheCommandFromALostLease() {
        CliRunner.Result result = cli.process(shell("exit 75", "--report", "report"));

        assertThat(result.code()).isEqualTo(75);
        assertThat(file("report")).content().contains("\"outcome\":\"ran\"").contains("\"commandExit\":75");
    }

    @Test
    void minHoldKeepsTheNameTakenAfterAShortRun() {
        assertThat(cli.process(shell("true", "--min-hold", "1h")).code()).isZero();

        CliRunner.Result second = cli.process(shell("touch ran-twice"));

        assertThat(second.err()).contains("busy");
        assertThat(file("ran-twice")).doesNotExist();
    }

    @Test
    void leftoversAreEndedBeforeTheLeaseIsReleased() throws Exception {
        CliRunner.Result result = cli.process(shell("sleep 60 & echo $! > left; exit 0"));

        assertThat(result.code()).isZero();
        assertThat(isAlive("left")).isFalse();
    }

    @Test
    void aReleaseThatFailsDoesNotChangeTheExitCode() {
        CliRunner.Result result = cli.process(shell("rm -rf store; exit 5"));

        assertThat(result.code()).isEqualTo(5);
        assertThat(result.err()).contains("warning").contains("could not be released");
    }
}
