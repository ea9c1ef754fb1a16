package dev.leasehold.cli.child;

import static dev.leasehold.cli.child.Linux.alive;
import static dev.leasehold.cli.child.Linux.eventually;
import static dev.leasehold.cli.child.Linux.uptime;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.environment.Requires;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What happens to the command when the wrapper, here a separate JVM, is signalled, killed or
 * frozen.
 */
@Timeout(30)
class WrapperTest {
    @TempDir
    Path folder;

    @TempDir
    Path temporary;

    private final List<Process> started = new ArrayList<>();

    private List<String> wrapper(int left, int grace, String... argv) {
        return wrapper("", left, grace, argv);
    }

    /** @param signal sent to the command as soon as it is started, unless it is empty */
    private List<String> wrapper(String signal, int left, int grace, String... argv) {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                WrapperMain.class.getName(),
                signal,
                Integer.toString(left),
                Integer.toString(grace)));
        words.addAll(List.of(argv));
        return words;
    }

    private Process start(List<String> words) throws IOException {
        List<String> command = new ArrayList<>(Dispositions.DEFAULT);
        command.addAll(words);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        started.add(process);
        return process;
    }

    /** One word of a shell command. */
    private static String quoted(List<String> words) {
        return String.join(
                " ",
                words.stream()
                        .map(word -> "'" + word.replace("'", "'\\''") + "'")
                        .toList());
    }

    private static String output(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @AfterEach
    void nothingStaysInTheTemporaryDirectory() throws Exception {
        started.forEach(Process::destroyForcibly);
        eventually("the temporary directory is empty again", () -> {
            try (Stream<Path> files = Files.list(temporary)) {
                return files.findAny().isEmpty();
            }
        });
    }

    @Test
    void commandReadsStandardInput() throws Exception {
        Process wrapper = start(wrapper(30_000, 1000, "sh", "-c", "read -r first; echo \"got $first\"; cat; exit 3"));
        wrapper.getOutputStream().write("one\ntwo\n".getBytes(StandardCharsets.UTF_8));
        wrapper.getOutputStream().close();
        assertThat(output(wrapper)).isEqualTo("got one\ntwo\n");
        assertThat(wrapper.waitFor()).isEqualTo(3);
    }

    @Test
    void commandCanUseTheTerminal() throws Exception {
        String command = quoted(
                wrapper(30_000, 1000, "sh", "-c", "test -t 0 && test -t 1 && read -r x && echo \"got $x\"; exit 5"));
        Process terminal = start(List.of("script", "-qec", command, "/dev/null"));
        terminal.getOutputStream().write("hello\n".getBytes(StandardCharsets.UTF_8));
        terminal.getOutputStream().flush();
        assertThat(output(terminal)).contains("got hello");
        assertThat(terminal.waitFor()).isEqualTo(5);
    }

    @Test
    void pipeEndsAlthoughTheCommandLeftAProcessRunning() throws Exception {
        Process pipeline = start(
                List.of("bash", "-c", quoted(wrapper(30_000, 1000, "sh", "-c", "sleep 60 & echo hi")) + " | cat"));
        assertThat(output(pipeline)).isEqualTo("hi\n");
        assertThat(pipeline.waitFor(5, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void signalToTheWrapperReachesTheCommand() throws Exception {
        Process wrapper = start(wrapper(
                30_000,
                1000,
                "bash",
                "-c",
                "trap 'exit 7' TERM; echo $$ >$0; while :; do sleep 0.02; done",
                folder + "/pid"));
        Linux.pidIn(folder.resolve("pid"));
        Linux.signal("TERM", wrapper.pid());
        assertThat(wrapper.waitFor()).isEqualTo(7);
    }

    @Test
    void signalSentRightAfterTheStartIsNotLost() throws Exception {
        Process wrapper = start(wrapper("INT", 30_000, 1000, "sleep", "60"));
        assertThat(wrapper.waitFor()).isEqualTo(130);
    }

    @Test
    void signalIgnoredFromTheStartStaysIgnored() throws Exception {
        String command = "trap '' HUP; exec "
                + quoted(wrapper(30_000, 1000, "sh", "-c", "echo $$ >$0; exec sleep 60", folder + "/pid"));
        Process wrapper = start(List.of("bash", "-c", command));
        long pid = Linux.pidIn(folder.resolve("pid"));
        Linux.signal("HUP", wrapper.pid());
        Linux.signal("HUP", pid);
        assertThat(wrapper.waitFor(300, TimeUnit.MILLISECONDS)).isFalse();
        Linux.signal("INT", wrapper.pid());
        assertThat(wrapper.waitFor()).isEqualTo(130);
    }

    @Test
    void killedWrapperTakesTheCommandWithIt() throws Exception {
        String script = "trap '' TERM; sleep 60 & echo $! >$0.2; echo $$ >$0; while :; do sleep 0.02; done";
        Process wrapper = start(wrapper(60_000, 300, "bash", "-c", script, folder + "/pid"));
        long pid = Linux.pidIn(folder.resolve("pid"));
        long child = Linux.pidIn(folder.resolve("pid.2"));
        Linux.signal("KILL", wrapper.pid());
        eventually("the command is dead", () -> !alive(pid) && !alive(child));
    }

    /** The next writer would not wait for a command whose supervisor was not recorded. */
    @Test
    void wrapperKilledBeforeItsSupervisorIsKnownHasStartedNothing() throws Exception {
        Path sign = folder.resolve("sign");
        List<String> words = wrapper(0, 0, "sh", "-c", "echo alive >>$0; sleep 60", sign.toString());
        words.set(words.indexOf(WrapperMain.class.getName()), WitnessMain.class.getName());
        words.subList(words.indexOf("0"), words.indexOf("0") + 2).clear();
        Process wrapper = start(words);
        long supervisor = Long.parseLong(wrapper.inputReader().readLine());
        // Long enough to see a command that starts too early.
        assertThat(wrapper.waitFor(700, TimeUnit.MILLISECONDS)).isFalse();
        Linux.signal("KILL", wrapper.pid());
        eventually("the supervisor is gone", () -> !alive(supervisor));
        assertThat(sign).doesNotExist();
    }

    @Test
    @Requires("setsid")
    void killedProcessGroupOfTheWrapperTakesTheCommandWithIt() throws Exception {
        List<String> words = new ArrayList<>(List.of("setsid"));
        words.addAll(wrapper(60_000, 300, "sh", "-c", "echo $$ >$0; exec sleep 60", folder + "/pid"));
        Process wrapper = start(words);
        long pid = Linux.pidIn(folder.resolve("pid"));
        Linux.signal("KILL", -wrapper.pid());
        eventually("the command is dead", () -> !alive(pid));
    }

    @Test
    void wrapperAndSupervisorKilledTogetherTakeTheCommandWithThem() throws Exception {
        Process wrapper = start(wrapper(60_000, 300, "sh", "-c", "echo $$ >$0; exec sleep 60", folder + "/pid"));
        long pid = Linux.pidIn(folder.resolve("pid"));
        long supervisor =
                ProcessHandle.of(pid).orElseThrow().parent().orElseThrow().pid();
        Linux.signal("KILL", supervisor);
        Linux.signal("KILL", wrapper.pid());
        eventually("the command is dead", () -> !alive(pid));
    }

    @Test
    void frozenWrapperCannotKeepTheCommandAlivePastTheDeadline() throws Exception {
        double before = uptime();
        Process wrapper = start(wrapper(
                4000, 1000, "bash", "-c", "trap '' TERM; echo $$ >$0; while :; do sleep 0.02; done", folder + "/pid"));
        long pid = Linux.pidIn(folder.resolve("pid"));
        // The command runs, so its supervisor got a deadline at most this far away.
        double deadline = uptime() + 4;
        Linux.signal("STOP", wrapper.pid());
        eventually("the command is dead", () -> !alive(pid));
        assertThat(uptime()).isBetween(before + 2, deadline);
        assertThat(Linux.state(wrapper.pid())).isEqualTo("T");
        Linux.signal("CONT", wrapper.pid());
        assertThat(wrapper.waitFor()).isEqualTo(137);
    }
}
