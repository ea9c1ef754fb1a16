package dev.leasehold.cli.child;

import static dev.leasehold.cli.child.Linux.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The environment, arguments, streams and exit code of a command. */
@Timeout(20)
class SupervisedCommandTest {
    @TempDir
    Path folder;

    @AfterEach
    void nothingStaysInTheTemporaryDirectory() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            assertThat(files.filter(SupervisedCommandTest::isOurs)).isEmpty();
        }
    }

    private static boolean isOurs(Path file) {
        return file.getFileName()
                .toString()
                .startsWith("leasehold-" + ProcessHandle.current().pid() + "-");
    }

    @ParameterizedTest
    @CsvSource({
        "exit 0,0",
        "exit 3,3",
        "exit 255,255",
        "kill -9 $$,137",
        "kill -15 $$,143",
        "kill -6 $$,134",
        "exit 137,137"
    })
    void exitCodeIsThatOfTheCommand(String script, int code) throws Exception {
        SupervisedRuns run = SupervisedRuns.start("bash", "-c", script);
        assertThat(run.command.waitFor()).isEqualTo(code);
        assertThat(run.command.endedAtDeadline()).isFalse();
        assertThat(run.err()).isEmpty();
    }

    @Test
    void argumentsArriveExactly() throws Exception {
        String[] odd = {
            "", " ", "a b", "-x", "--", "'\"`$HOME\\", "line\nbreak\n", "*", "tab\t", "%s", "=", "ü€", "$(id)"
        };
        List<String> argv = new ArrayList<>(List.of("printf", "<%s>"));
        argv.addAll(List.of(odd));
        SupervisedRuns run = SupervisedRuns.start(argv.toArray(String[]::new));
        assertThat(run.command.waitFor()).isZero();
        assertThat(run.out()).isEqualTo("<" + String.join("><", odd) + ">");
    }

    @Test
    void commandNamedLikeAnOptionIsNotTakenForOne() throws Exception {
        Path tool = folder.resolve("--help");
        Files.writeString(tool, "#!/bin/sh\necho \"$0\"\n");
        Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwx------"));
        SupervisedRuns run =
                SupervisedRuns.start(Map.of("PATH", folder + ":" + System.getenv("PATH")), Set.of(), "--help");
        assertThat(run.command.waitFor()).isZero();
        assertThat(run.out()).isEqualTo(tool + "\n");
    }

    @Test
    void scriptWithoutInterpreterLineIsRunByTheShell() throws Exception {
        Path tool = folder.resolve("bare");
        Files.writeString(tool, "echo bare \"$1\"\n");
        Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwx------"));
        SupervisedRuns run = SupervisedRuns.start(tool.toString(), "x");
        assertThat(run.command.waitFor()).isZero();
        assertThat(run.out()).isEqualTo("bare x\n");
    }

    @Test
    void commandThatVanishedSinceTheLookupIs127() throws Exception {
        SupervisedRuns run = SupervisedRuns.start(folder.resolve("vanished").toString());
        assertThat(run.command.waitFor()).isEqualTo(127);
        assertThat(run.err()).contains("vanished");
    }

    @Test
    void environmentIsExactlyAsRequested() throws Exception {
        Map<String, String> set = new HashMap<>(Map.of("LEASEHOLD_TOKEN", "7", "ODD", "a \n'b\"", "not.a-name", "x"));
        // The supervisor's bash would react to all of these, but only the command may.
        set.putAll(Map.of(
                "LC_ALL", "xx_YY.UTF-8", "BASH_ENV", "/nonexistent", "POSIXLY_CORRECT", "1", "SHELLOPTS", "xtrace"));
        set.putAll(Map.of(
                "OLDPWD",
                "/nonexistent",
                "SHLVL",
                "7",
                "TMOUT",
                "1",
                "_",
                "/x",
                "BASH_FUNC_kill%%",
                "() {  exit 1; }"));
        Set<String> removed = Set.of("HOME", "PWD", "NEVER_WAS");
        Map<String, String> expected = new HashMap<>(System.getenv());
        expected.putAll(set);
        expected.keySet().removeAll(removed);
        expected.remove("_"); // each shell sets this itself

        SupervisedRuns run = SupervisedRuns.start(set, removed, "env", "-0");
        assertThat(run.command.waitFor()).isZero();
        assertThat(run.out().split("\0"))
                .containsExactlyInAnyOrderElementsOf(expected.entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .toList());
        assertThat(run.err()).isEmpty();
    }

    @Test
    void commandLeadsItsOwnSessionAndGroup() throws Exception {
        SupervisedRuns run = SupervisedRuns.start("sh", "-c", "cut -d' ' -f5,6 /proc/$$/stat; echo $$; pwd");
        run.command.waitFor();
        long pid = run.command.pid().orElseThrow();
        assertThat(run.out().lines()).containsExactly(pid + " " + pid, "" + pid, System.getProperty("user.dir"));
    }

    @Test
    void signalsHaveTheirDefaultDispositionInTheCommand() throws Exception {
        String[] look = {"grep", "-E", "^Sig(Ign|Blk|Cgt)", "/proc/self/status"};
        SupervisedRuns run = SupervisedRuns.start(look);
        assertThat(run.command.waitFor()).isZero();
        Process plain = new ProcessBuilder(look).start();
        assertThat(run.out()).isEqualTo(new String(plain.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    }

    @Test
    void onlyTheThreeStreamsAreOpenInTheCommand() throws Exception {
        SupervisedRuns run = SupervisedRuns.start("sh", "-c", "ls /proc/$$/fd; true");
        run.command.waitFor();
        assertThat(run.out()).isEqualTo("0\n1\n2\n");
    }

    @Test
    void everyByteOfOutputArrivesAndCountsAsProgress() throws Exception {
        AtomicInteger chunks = new AtomicInteger();
        SupervisedRuns run = SupervisedRuns.start("sh", "-c", "head -c 3000000 /dev/zero; echo end; echo oops >&2");
        SupervisedCommand counted = SupervisedCommand.start(
                List.of("sh", "-c", "echo a; echo b >&2"),
                Map.of(),
                Set.of(),
                () -> Duration.ofSeconds(30),
                Duration.ofSeconds(1),
                Stdio.piped(OutputStream.nullOutputStream(), OutputStream.nullOutputStream(), chunks::incrementAndGet));
        assertThat(run.command.waitFor()).isZero();
        assertThat(run.out.size()).isEqualTo(3_000_004);
        assertThat(run.err()).isEqualTo("oops\n");
        counted.waitFor();
        assertThat(chunks).hasValue(2);
    }

    /** A busy machine may let the threads that copy the output wait until after the end of the command. */
    @Test
    void outputIsNotLostIfItsReaderRunsLate() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        SupervisedCommand command = SupervisedCommand.start(
                Platform.detect(),
                task -> new Thread(() -> {
                    LockSupport.parkNanos(Duration.ofMillis(700).toNanos());
                    task.run();
                }),
                List.of("echo", "late"),
                Map.of(),
                Set.of(),
                () -> Duration.ofSeconds(30),
                Duration.ofSeconds(1),
                Stdio.piped(out, OutputStream.nullOutputStream(), () -> {}),
                null,
                supervisor -> {});

        command.waitFor();

        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("late\n");
    }

    @Test
    void commandWhoseReaderIsGoneGetsSigpipe() throws Exception {
        OutputStream closed = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        SupervisedCommand command = SupervisedCommand.start(
                List.of("yes"),
                Map.of(),
                Set.of(),
                () -> Duration.ofSeconds(30),
                Duration.ofSeconds(1),
                Stdio.piped(closed, OutputStream.nullOutputStream(), () -> {}));
        assertThat(command.waitFor()).isEqualTo(128 + 13);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void commandThatCannotBeWatchedIsNotStarted(int failing) throws Exception {
        AtomicInteger starts = new AtomicInteger();
        ThreadFactory scarce = task -> new Thread(task) {
            @Override
            public synchronized void start() {
                if (starts.incrementAndGet() == failing) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                super.start();
            }
        };
        assertThatThrownBy(() -> SupervisedCommand.start(
                        Platform.detect(),
                        scarce,
                        List.of("touch", folder + "/ran"),
                        Map.of(),
                        Set.of(),
                        () -> Duration.ofSeconds(15),
                        Duration.ofSeconds(1),
                        Stdio.piped(OutputStream.nullOutputStream(), OutputStream.nullOutputStream(), () -> {}),
                        null,
                        supervisor -> {}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the command was not started");
        eventually(
                "the supervisor has ended",
                () -> ProcessHandle.current().children().findAny().isEmpty());
        assertThat(folder.resolve("ran")).doesNotExist();
    }

    @Test
    void processThatLeftTheSessionDoesNotBlockTheWrapper() throws Exception {
        SupervisedRuns run = SupervisedRuns.start(
                "sh",
                "-c",
                "setsid sh -c 'echo $$ >$0; exec sleep 60' $0 & until test -s $0; do sleep 0.01; done",
                folder + "/pid");
        assertThat(run.command.waitFor(Duration.ofSeconds(5))).isTrue();
        long escaped = Linux.pidIn(folder.resolve("pid"));
        assertThat(Linux.alive(escaped)).as("out of reach, as documented").isTrue();
        Linux.signal("KILL", escaped);
    }

    @Test
    void twentyConcurrentCommandsAreIndependent() throws Exception {
        List<SupervisedRuns> runs = new ArrayList<>();
        for (int n = 0; n < 20; n++) {
            runs.add(SupervisedRuns.start("sh", "-c", "sleep 0.1; echo $0; exit $0", Integer.toString(n)));
        }
        for (int n = 0; n < 20; n++) {
            assertThat(runs.get(n).command.waitFor()).isEqualTo(n);
            assertThat(runs.get(n).out()).isEqualTo(n + "\n");
        }
    }

    @Test
    void missingTemporaryDirectoryIsReportedInOneLine() {
        String before = System.getProperty("java.io.tmpdir");
        System.setProperty("java.io.tmpdir", folder.resolve("missing").toString());
        try {
            assertThatThrownBy(() -> SupervisedRuns.start("true"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("missing")
                    .hasMessageContaining("the command was not started");
        } finally {
            System.setProperty("java.io.tmpdir", before);
        }
    }

    @Test
    void directoryIsRemovedEvenWithoutAWait() throws Exception {
        SupervisedRuns run = SupervisedRuns.start("sh", "-c", "echo out");
        run.awaitOutput("out");
        eventually("the directory is gone", () -> {
            try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
                return files.noneMatch(SupervisedCommandTest::isOurs);
            }
        });
    }

    @Test
    void callsAfterTheEndDoNothing() throws Exception {
        SupervisedRuns run = SupervisedRuns.start("true");
        run.command.waitFor();
        run.command.extend(() -> Duration.ofSeconds(5));
        run.command.signal("TERM");
        run.command.stop();
        assertThat(run.command.waitFor()).isZero();
        assertThatThrownBy(() -> run.command.signal("TERM; rm")).isInstanceOf(IllegalArgumentException.class);
    }

    /**
     * The name of the directory can be guessed, and other users may write to the temporary
     * directory.
     */
    @Test
    void aDirectoryThatIsNotTheSupervisorsOwnStartsNothing() throws Exception {
        Path victim = Files.createDirectory(folder.resolve("victim"));
        Path trap = Files.createSymbolicLink(folder.resolve("trap"), victim);
        Platform platform = Platform.detect();
        List<String> words = new ArrayList<>(List.of(platform.bash().toString(), "-p", "-c"));
        words.addAll(List.of("eval \"$LEASEHOLD_SUPERVISOR_SCRIPT\"", "leasehold-supervisor", trap.toString()));
        long later = new Deadline(platform.proc(), () -> Duration.ofMinutes(1), Duration.ZERO).at();
        words.addAll(List.of(Long.toString(ProcessHandle.current().pid()), Long.toString(later), "100", "/proc"));
        words.addAll(List.of(
                platform.mkfifo().toString(),
                platform.rm().toString(),
                platform.leader().toString()));
        words.addAll(List.of("0", "touch", folder.resolve("started").toString()));
        ProcessBuilder supervisor = new ProcessBuilder(words).redirectErrorStream(true);
        supervisor.environment().put("LEASEHOLD_SUPERVISOR_SCRIPT", SupervisorScript.text());
        Process running = supervisor.start();
        String said = new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(running.waitFor()).isEqualTo(126);
        assertThat(said).contains("was not started").hasLineCount(1);
        assertThat(folder.resolve("started")).doesNotExist();
        assertThat(victim).isEmptyDirectory();
    }
}
