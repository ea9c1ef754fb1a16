package dev.leasehold.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.OnlyFromClasses;
import dev.leasehold.cli.TerminalRun;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.store.FileLeaseStore;
import dev.leasehold.testkit.environment.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ctrl-C on a terminal, while a long command shows how far it is. */
@Requires("script")
class InterruptedCommandTest {
    /** Longer than a bar waits before it is drawn. */
    private static final long A_MOMENT_MS = 150;

    @TempDir
    Path directory;

    private CliRunner cli;
    private String store;

    /** A store whose last log of runs is damaged: who reads on after the interruption finds it. */
    @BeforeEach
    void useAStoreWithRuns() {
        cli = CliRunner.withStore(directory.resolve("store"));
        store = "halting:" + directory.resolve("store");
        for (String name : List.of("a", "b")) {
            assertThat(cli.run("run", name, "--", "true").code()).isZero();
        }
        try (FileLeaseStore open = FileLeaseStore.open(directory.resolve("store"))) {
            assertThat(open.register().compareAndSet("runs/z", CasRegister.ABSENT, "damaged"))
                    .isTrue();
        }
    }

    private TerminalRun start(String haltAt, String... command) throws IOException {
        CliRunner program =
                cli.env("HALT_AT", haltAt).withDriversAnd(StoreOfTest.classes(directory, HaltingStore.class));
        return TerminalRun.start(program, program.commandLine(command), directory.resolve("screen"));
    }

    /** Presses Ctrl-C while the command waits for its store, and lets the store answer. */
    private void interruptHalted(TerminalRun run) throws Exception {
        await(() -> HaltingStore.isHalted(directory), run);
        Thread.sleep(A_MOMENT_MS);
        run.pressCtrlC();
        run.awaitScreen("ending after the current ");
        HaltingStore.goOn(directory);
    }

    private static void await(BooleanSupplier condition, TerminalRun run) throws Exception {
        for (int i = 0; i < 4500 && !condition.getAsBoolean(); i++) {
            Thread.sleep(20);
        }
        assertThat(condition.getAsBoolean()).as(run.screen()).isTrue();
    }

    @Test
    @OnlyFromClasses("a store that halts is a class of the tests")
    void doctorEndsBetweenTwoRecords() throws Exception {
        try (TerminalRun run = start("read runs/b", "doctor", "--rounds", "20", "--store", store)) {
            interruptHalted(run);

            assertThat(run.exit()).as(run.screen()).isEqualTo(ExitCode.INTERRUPTED);
            assertThat(run.screen())
                    .contains("grade: atomic", "2 records read", "interrupted;")
                    .doesNotContain("damaged");
        }
    }

    @Test
    @OnlyFromClasses("a store that halts is a class of the tests")
    void aMoveThatLooksAtTheRecordsChangesNothing() throws Exception {
        String place = directory.resolve("new").toString();
        try (TerminalRun run =
                start("read runs/b", "store", "migrate", "--json", "--from", store, "--to", "file:" + place)) {
            interruptHalted(run);

            assertThat(run.exit()).as(run.screen()).isEqualTo(ExitCode.INTERRUPTED);
            assertThat(run.screen())
                    .contains(
                            "2 records read",
                            "leasehold: interrupted; nothing was changed",
                            "{\"outcome\":\"interrupted\"")
                    .doesNotContain("damaged");
        }
        assertThat(Path.of(place)).doesNotExist();
        assertThat(cli.run("status", "a").code()).isZero();
    }

    @Test
    @OnlyFromClasses("a store that halts is a class of the tests")
    void aMoveThatCopiesIsRepeated() throws Exception {
        try (FileLeaseStore open = FileLeaseStore.open(directory.resolve("store"))) {
            assertThat(open.register()
                            .remove("runs/z", open.register().read("runs/z").version()))
                    .isTrue();
        }
        String place = "file:" + directory.resolve("new");
        try (TerminalRun run = start("history b", "store", "migrate", "--from", store, "--to", place)) {
            interruptHalted(run);

            assertThat(run.exit()).as(run.screen()).isEqualTo(ExitCode.INTERRUPTED);
            assertThat(run.screen())
                    .contains("] 2 of 4 leases and records moved, 50 %", "interrupted after 2 leases and records")
                    .contains("The move has begun");
        }
        assertThat(cli.run("status").err()).contains("is being moved to");
        Result again = cli.run("store", "migrate", "--from", "file:" + directory.resolve("store"), "--to", place);
        assertThat(again.code()).as(again.err()).isZero();
        assertThat(again.err()).contains("moved 2 leases and 2 records");
    }

    @Test
    void publishRemovesItsCopies() throws Exception {
        int files = 5000;
        Path tree = Files.createDirectory(directory.resolve("tree"));
        for (int i = 0; i < files; i++) {
            Files.createFile(tree.resolve("file" + i));
        }
        Path target = directory.resolve("public");
        assertThat(cli.run("acquire", "site", "--ttl", "1h").code()).isZero();
        List<String> command =
                cli.commandLine("publish", tree.toString(), target.toString(), "--name", "site", "--token", "1");
        try (TerminalRun run = TerminalRun.start(cli, command, directory.resolve("screen"))) {
            // The copying waits at its first bar, so that there is something left to interrupt however slow this test
            // is.
            run.pressCtrlS();
            await(() -> !copies().isEmpty(), run);
            Thread.sleep(2 * A_MOMENT_MS);
            run.pressCtrlC();

            assertThat(run.exit()).as(run.screen()).isEqualTo(ExitCode.INTERRUPTED);
            assertThat(run.screen())
                    .containsPattern("] \\d+ of 5000 files copied, \\d+ %")
                    .containsPattern("interrupted after \\d+ files were copied; nothing was published");
        }
        assertThat(target).doesNotExist();
        assertThat(copies()).isEmpty();
    }

    /** The files of the tree that are beside the target. */
    private List<Path> copies() {
        try (Stream<Path> files = Files.walk(directory.resolve(".public.leasehold"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("file"))
                    .toList();
        } catch (IOException | RuntimeException e) {
            // There is no such directory yet, or not any more.
            return List.of();
        }
    }
}
