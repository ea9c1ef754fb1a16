package dev.leasehold.cli.targets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Stores;
import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.JsonText;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.internal.SystemTicker;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.OperationId;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.work.SideEffect;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Publish, append, exec-fenced and --observe. */
class DiskTargetsTest {
    @TempDir
    Path directory;

    private CliRunner cli;
    private Path tree;
    private Path site;
    private Path log;

    @BeforeEach
    void place() throws IOException {
        cli = CliRunner.withStore(directory.resolve("store"));
        tree = Files.createDirectory(directory.resolve("tree"));
        site = directory.resolve("site");
        log = directory.resolve("journal");
        Files.writeString(tree.resolve("page"), "one");
    }

    private Result publish(String token, String... more) {
        return run(List.of("publish", tree.toString(), site.toString()), token, more);
    }

    private Result append(String token, String record, String... more) {
        cli.stdin(record);
        return run(List.of("append", log.toString()), token, more);
    }

    private Result run(List<String> command, String token, String... more) {
        List<String> args = new ArrayList<>(command);
        args.addAll(List.of("--name", "job", "--token", token));
        args.addAll(List.of(more));
        return cli.run(args.toArray(String[]::new));
    }

    @Test
    void aTreeIsPublishedAndAStaleOneRefused() throws IOException {
        assertThat(publish("1")).isEqualTo(new Result(0, "", ""));
        assertThat(site.resolve("page")).hasContent("one");
        Files.writeString(tree.resolve("page"), "two");
        assertThat(JsonText.object(publish("2", "--json", "--once").out()))
                .containsEntry("outcome", "published")
                .containsEntry("target", site.toString());
        assertThat(publish("2", "--once").err()).contains("with the same content");
        Files.writeString(tree.resolve("page"), "of a zombie");
        Result stale = publish("1");
        assertThat(stale.code()).isEqualTo(ExitCode.STALE);
        assertThat(stale.err()).contains("nothing was written", "token 2").hasLineCount(1);
        assertThat(site.resolve("page")).hasContent("two");
    }

    @Test
    void recordsAreAppendedAndStaleOnesRefused() {
        assertThat(append("1", "first")).isEqualTo(new Result(0, "", ""));
        assertThat(append("2", "second\nin two lines\n", "--once").code()).isZero();
        assertThat(append("2", "second\nin two lines\n", "--once").err()).contains("with the same content");
        assertThat(append("2", "another", "--once").code()).isEqualTo(ExitCode.STALE);
        assertThat(append("1", "late").code()).isEqualTo(ExitCode.STALE);
        assertThat(JsonText.object(append("2", "third", "--json").out())).containsEntry("outcome", "appended");
        assertThat(log).hasContent("first\nsecond\nin two lines\nthird\n");
    }

    @Test
    void raiseAndGuardAcceptEveryKindOfTarget() {
        publish("1");
        append("1", "first");
        cli.run("acquire", "job");
        Result taken =
                cli.run("takeover", "job", "--reason", "stuck", "--guard", site.toString(), "--guard", log.toString());
        assertThat(taken.code()).isZero();
        assertThat(publish("1").code()).isEqualTo(ExitCode.STALE);
        assertThat(append("1", "late").code()).isEqualTo(ExitCode.STALE);
        Result raised = run(List.of("raise", site.toString(), log.toString(), tree.toString()), "3", "--no-check");
        assertThat(raised.err()).contains("site raised to job token 3", "journal raised to job token 3", "tree raised");
        assertThat(publish("2").code()).isEqualTo(ExitCode.STALE);
        assertThat(append("2", "late").code()).isEqualTo(ExitCode.STALE);
        assertThat(log).hasContent("first\n");
    }

    /** Two names of one directory with a fence each would let two runs in. */
    @Test
    void aDirectoryHasOneFenceHoweverItIsNamed() {
        assertThat(cli.run("raise", tree.resolve(".").toString(), "--name", "job", "--token", "2", "--no-check")
                        .code())
                .isZero();
        for (Path same : List.of(tree, tree.resolve("../tree"), tree.resolve("../tree/."))) {
            assertThat(cli.run("raise", same.toString(), "--name", "job", "--token", "1", "--no-check")
                            .code())
                    .as(same.toString())
                    .isEqualTo(ExitCode.STALE);
        }
        assertThat(tree.toFile().list()).containsExactly("page");
    }

    @Test
    void badInputIsReportedInOneLineAndNothingIsPublished() throws IOException {
        Path plain = Files.createDirectory(directory.resolve("plain"));
        assertReported(run(List.of("publish", "missing", site.toString()), "1"), ExitCode.USAGE, "does not exist");
        assertReported(
                run(List.of("publish", tree.resolve("page").toString(), site.toString()), "1"),
                ExitCode.USAGE,
                "not a directory");
        assertReported(
                run(List.of("publish", tree.toString(), tree.resolve("in").toString()), "1"),
                ExitCode.USAGE,
                "lies inside");
        assertReported(
                run(List.of("publish", tree.toString(), plain.toString()), "1"),
                ExitCode.UNAVAILABLE,
                "mv plain plain.before");
        assertReported(run(List.of("publish", tree.toString(), "host:site"), "1"), ExitCode.USAGE, "is a git remote");
        assertReported(run(List.of("publish", tree.toString()), "1"), ExitCode.USAGE, "TARGET");
        assertReported(publish("1", "--keep", "-1"), ExitCode.USAGE, "--keep");
        assertReported(publish("1", "--keep", "many"), ExitCode.USAGE, "--keep");
        assertReported(publish("0"), ExitCode.USAGE, "token");
        assertReported(cli.run("publish", tree.toString(), site.toString()), ExitCode.USAGE, "no lease name");
        assertThat(directory.toFile().list()).containsExactlyInAnyOrder("store", "tree", "plain");
    }

    @Test
    void badInputIsReportedInOneLineAndNothingIsAppendedOrRun() {
        assertReported(append("1", ""), ExitCode.USAGE, "record is empty");
        assertReported(run(List.of("exec-fenced", log.toString()), "1"), ExitCode.USAGE, "no command to run");
        Result json = run(List.of("exec-fenced", log.toString()), "1", "--json", "--", "true");
        assertThat(json.code()).isEqualTo(ExitCode.USAGE);
        assertThat(JsonText.object(json.out()).get("detail").toString()).contains("stdout belongs");
        assertReported(
                run(List.of("exec-fenced", log.toString()), "1", "--", "no-such-command"),
                ExitCode.NOT_FOUND,
                "was not found");
        assertThat(directory.toFile().list()).containsExactlyInAnyOrder("store", "tree");
        append("1", "record");
        cli.stdin("whole");
        assertReported(
                run(List.of("write", log.toString()), "1"),
                ExitCode.USAGE,
                "use 'leasehold append'",
                "guarded as a log");
        assertThat(log).hasContent("record\n");
    }

    private static void assertReported(Result result, int code, String... anyOf) {
        assertThat(result.code()).as(result.err()).isEqualTo(code);
        assertThat(result.err()).startsWith("leasehold: ").hasLineCount(1).containsAnyOf(anyOf);
        assertThat(result.out()).isEmpty();
    }

    @Test
    void observeAdmitsCountsAndReportsStaleWrites() {
        publish("2");
        append("2", "first");
        cli.stdin("page");
        run(List.of("write", directory.resolve("file").toString()), "2");

        Result fine = append("2", "second", "--observe");
        assertThat(fine.code()).isZero();
        assertThat(fine.err()).contains("--observe protects nothing", "0 writes of job");
        Result late = append("1", "late", "--observe");
        assertThat(late.code()).isZero();
        assertThat(late.err()).contains("WAS WRITTEN", "stale", "protects nothing", "1 write of job");
        assertThat(JsonText.object(publish("1", "--observe", "--json").out()))
                .containsEntry("outcome", "published")
                .containsEntry("wouldRefuse", "stale");
        cli.stdin("late");
        Result written = run(List.of("write", directory.resolve("file").toString()), "1", "--observe", "--quiet");
        assertThat(written.err()).contains("WAS WRITTEN", "protects nothing", "3 writes of job");

        assertThat(log).hasContent("first\nsecond\nlate\n");
        assertThat(directory.resolve("file")).hasContent("late");
        assertThat(cli.run("explain", "job").out()).contains("3 written although stale (--observe)", "is stale");
        assertThat(append("1", "guarded again").code())
                .as("the fence did not go back")
                .isEqualTo(ExitCode.STALE);
    }

    @Test
    void aFailedWriteInPlaceIsRemembered() {
        Path file = directory.resolve("data");
        CliRunner process = cli.in(directory);
        String[] write = {"exec-fenced", "data", "--name", "job", "--token", "2", "--", "sh", "-c"};
        assertThat(process.process(with(write, "echo whole > data"))).isEqualTo(new Result(0, "", ""));
        assertThat(file).hasContent("whole\n");
        Result failed = process.process(with(write, "echo half > data; exit 3"));
        assertThat(failed.code()).isEqualTo(3);
        assertThat(failed.err())
                .contains("the command failed (exit 3)", "may be half written")
                .hasLineCount(1);
        Result next = run(List.of("raise", file.toString()), "3");
        assertThat(next.err()).contains("warning:", "may be half written: token 2", "raised to job token 3");
        Result stale = process.process(with(write, "echo late > data"));
        assertThat(stale.code()).isEqualTo(ExitCode.STALE);
        assertThat(file).hasContent("half\n");
        write[5] = "3";
        assertThat(process.process(with(write, "echo mended > data")).err()).contains("may be half written: token 2");
        assertThat(run(List.of("raise", file.toString()), "3").err()).doesNotContain("half written");
    }

    @Test
    void explainListsSideEffectsWithAnUnknownOutcome() {
        cli.run("acquire", "job");
        try (LeaseStore store = Stores.create("file:" + directory.resolve("store"))) {
            Grant grant = Grant.bare(LeaseName.of("job"), FencingToken.of(1));
            SideEffect effects = new SideEffect(store, new SystemTicker());
            assertThatThrownBy(() -> effects.perform(grant, OperationId.of("mail-7"), key -> {
                        throw new IOException("timed out");
                    }))
                    .hasMessage("timed out");
        }
        assertThat(cli.run("explain", "job").out())
                .contains("unknown outcome", "whether operation mail-7 took effect is unknown", "Ask the target");
        assertThat(cli.run("explain", "job", "--json").out()).contains("\"operation\":\"mail-7\"");
    }

    /**
     * The lock ends with the killed program, its command is ended, and the next writer waits until
     * it is.
     */
    @Test
    void theCommandOfAKilledWrapperIsDeadBeforeTheNextOneEnters() throws Exception {
        Path started = directory.resolve("started");
        Path alive = directory.resolve("alive");
        Process wrapper = cli.in(directory)
                .start(
                        "exec-fenced",
                        "data",
                        "--name",
                        "job",
                        "--token",
                        "1",
                        "--",
                        "sh",
                        "-c",
                        "trap '' TERM; echo $$ > started.tmp; mv started.tmp started; while :; do echo x >> alive; sleep 0.02; done");
        try {
            await(() -> Files.exists(alive) && Files.exists(started));
            wrapper.destroyForcibly().waitFor();
            long command = Long.parseLong(Files.readString(started).strip());
            Result next = run(List.of("raise", directory.resolve("data").toString()), "2");
            assertThat(next.code()).as(next.err()).isZero();
            assertThat(ProcessHandle.of(command).map(ProcessHandle::isAlive).orElse(false))
                    .as("the command was alive when the next one entered")
                    .isFalse();
            assertThat(next.err()).contains("may be half written: token 1");
        } finally {
            wrapper.destroyForcibly();
        }
    }

    private interface Condition {
        boolean holds() throws Exception;
    }

    private static void await(Condition condition) throws Exception {
        for (int i = 0; i < 3000; i++) {
            if (condition.holds()) {
                return;
            }
            Thread.sleep(10);
        }
        throw new AssertionError("the condition did not become true in time");
    }

    private static String[] with(String[] words, String last) {
        List<String> all = new ArrayList<>(List.of(words));
        all.add(last);
        return all.toArray(String[]::new);
    }
}
