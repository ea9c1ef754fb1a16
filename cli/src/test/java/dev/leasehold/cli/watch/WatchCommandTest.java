package dev.leasehold.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.store.FileLeaseStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code leasehold watch} as a process. */
class WatchCommandTest {
    @TempDir
    Path folder;

    private CliRunner cli;
    private final List<Process> watches = new ArrayList<>();

    @BeforeEach
    void createAStore() {
        cli = CliRunner.withStore(folder.resolve("store"))
                .env("PATH", System.getenv("PATH"))
                .withDrivers();
    }

    @AfterEach
    void endAll() {
        watches.forEach(Process::destroyForcibly);
    }

    private Process watch(String log, String... words) throws Exception {
        List<String> all = new ArrayList<>(List.of("watch"));
        all.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(cli.commandLine(all.toArray(String[]::new)));
        builder.environment().putAll(cli.environment());
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve(log).toFile())
                .start();
        watches.add(process);
        await(() -> read(log).contains("watching for"));
        return process;
    }

    private String read(String file) {
        try {
            return Files.exists(folder.resolve(file)) ? Files.readString(folder.resolve(file)) : "";
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private List<String> told() {
        return read("told").lines().toList();
    }

    private void await(BooleanSupplier condition) throws InterruptedException {
        for (int i = 0; i < 600 && !condition.getAsBoolean(); i++) {
            Thread.sleep(100);
        }
        assertThat(condition.getAsBoolean())
                .as(read("log-1") + read("log-2") + read("log-3"))
                .isTrue();
    }

    private String[] tellingInto(String file) {
        return new String[] {"--on", "failed,refused", "--", "sh", "-c", "cat >> " + folder.resolve(file)};
    }

    @Test
    void eachEventIsToldOnceByOneOfTwoWatchesAndAlsoAfterRestarts() throws Exception {
        Process first = watch("log-1", tellingInto("told"));
        await(() -> cli.run("status", "main/leasehold-watch").out().contains("held"));
        Process second = watch("log-2", tellingInto("told"));
        await(() -> read("log-2").contains("is on duty; this one stands by"));

        cli.process("run", "job", "--", "true");
        cli.process("run", "job", "--", "false");
        await(() -> told().size() == 1);
        assertThat(told().get(0))
                .startsWith("{\"alert\":\"failed\",\"id\":\"")
                .contains("\"name\":\"job\",\"token\":2,", "\"detail\":\"exit 1\"");

        // A watch that is killed has no time to write down what it has told.
        first.destroyForcibly();
        assertThat(first.waitFor(60, TimeUnit.SECONDS)).isTrue();
        cli.process("run", "job", "--", "sh", "-c", "exit 3");
        await(() -> read("told").contains("exit 3"));

        second.destroy();
        assertThat(second.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(second.exitValue()).isZero();
        // While nobody watches.
        cli.process("run", "job", "--", "sh", "-c", "exit 4");
        watch("log-3", tellingInto("told"));
        await(() -> read("told").contains("exit 4"));
        Thread.sleep(3000);
        List<String> details = told().stream()
                .map(line -> line.replaceAll(".*\"detail\":\"(.*)\".*", "$1"))
                .toList();
        assertThat(details.stream().distinct()).containsExactly("exit 1", "exit 3", "exit 4");
        // The kill may have come between the command and its record. Then the same event is told again.
        assertThat(details.stream().filter(detail -> !detail.equals("exit 1"))).hasSize(2);
        assertThat(told().stream().distinct()).hasSize(3);
    }

    @Test
    void aCommandThatFailsOrHangsIsTriedThreeTimesAndTheNextEventIsTold() throws Exception {
        watch(
                "log-1",
                "--on",
                "failed",
                "--timeout",
                "1s",
                "--",
                "sh",
                "-c",
                "cat >> " + folder.resolve("told") + "; grep -q 'exit 7' " + folder.resolve("told")
                        + " && exit 0; sleep 60");
        await(() -> cli.run("status", "main/leasehold-watch").out().contains("held"));
        cli.process("run", "job", "--", "sh", "-c", "exit 6");
        await(() -> read("log-1").contains("not told, after 3 tries"));
        assertThat(told()).hasSize(3);
        assertThat(read("log-1")).contains("it did not end within 1 s and was killed");
        cli.process("run", "job", "--", "sh", "-c", "exit 7");
        await(() -> told().size() == 4 && read("log-1").contains("told: failed job token 2"));
    }

    @Test
    void aSignalEndsTheWatchInTheMiddleOfACommandAndTheNextOneTellsIt() throws Exception {
        Process watch = watch(
                "log-1",
                "--on",
                "failed",
                "--timeout",
                "10m",
                "--",
                "sh",
                "-c",
                "cat >> " + folder.resolve("told") + "; sleep 600");
        await(() -> cli.run("status", "main/leasehold-watch").out().contains("held"));
        try (FileLeaseStore store = FileLeaseStore.create(folder.resolve("store"))) {
            store.register().compareAndSet("slots/job", CasRegister.ABSENT, "a damaged record silences nobody");
        }
        cli.process("run", "job", "--", "sh", "-c", "exit 6");
        await(() -> told().size() == 1);
        // A terminal that is closed sends this before the system is stopped; it must not hide what follows.
        assertThat(new ProcessBuilder("kill", "-HUP", Long.toString(watch.pid()))
                        .start()
                        .waitFor())
                .isZero();
        watch.destroy();
        assertThat(watch.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(watch.exitValue()).as(read("log-1")).isZero();
        watch("log-2", tellingInto("told"));
        await(() -> told().size() == 2);
        assertThat(told().get(1)).isEqualTo(told().get(0));
    }

    @Test
    void whatCannotWorkIsRefusedAtTheStart() {
        Result kind = cli.run("watch", "--on", "late", "--", "true");
        assertThat(kind.code()).isEqualTo(ExitCode.USAGE);
        assertThat(kind.err()).contains("'late' is not known: use stuck, overdue, lost, refused or failed");
        assertThat(cli.run("watch").code()).isEqualTo(ExitCode.USAGE);
        assertThat(cli.run("watch", "--", "no-such-command").code()).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(cli.run("watch", "--json", "--", "true").code()).isEqualTo(ExitCode.USAGE);
    }
}
