package dev.leasehold.cli.targets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.JsonText;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.store.FileLeaseStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Write and raise. */
class TargetCommandsTest {
    @TempDir
    Path directory;

    private CliRunner cli;
    private Path store;
    private Path file;

    @BeforeEach
    void useAnEmptyStore() {
        store = directory.resolve("store");
        file = directory.resolve("page.html");
        cli = CliRunner.withStore(store);
    }

    private Result write(String token, String content, String... more) {
        String[] args = Stream.concat(
                        Stream.of("write", file.toString(), "--name", "job", "--token", token), Stream.of(more))
                .toArray(String[]::new);
        return cli.stdin(content).run(args);
    }

    @Test
    void stdinReplacesTheFileSilently() {
        assertThat(write("1", "first\n")).isEqualTo(new Result(0, "", ""));
        assertThat(write("1", "second")).isEqualTo(new Result(0, "", ""));
        assertThat(file).hasContent("second");
        assertThat(write("2", "")).isEqualTo(new Result(0, "", ""));
        assertThat(file).isEmptyFile();
        assertThat(JsonText.object(write("2", "x", "--json").out()))
                .containsEntry("outcome", "written")
                .containsEntry("token", 2L)
                .containsEntry("target", file.toString());
    }

    @Test
    void aStaleWriteLeavesTheFileByteIdentical() throws IOException {
        write("2", "new\u0000content");
        byte[] before = Files.readAllBytes(file);
        Result stale = write("1", "late content");

        assertThat(stale.code()).isEqualTo(ExitCode.STALE);
        assertThat(stale.out()).isEmpty();
        assertThat(stale.err()).contains("nothing was written", "stale", "token 2");
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left.filter(path -> path.toString().contains("staged"))).isEmpty();
        }
    }

    @Test
    void aRefusalIsRecordedForExplain() {
        cli.run("acquire", "job");
        cli.run("takeover", "job", "--reason", "stuck", "--guard", file.toString());
        Result stale = cli.env("LEASEHOLD_HOLDER", "sleepy")
                .stdin("late")
                .run("write", file.toString(), "--name", "job", "--token", "1");

        assertThat(stale.code()).isEqualTo(ExitCode.STALE);
        assertThat(stale.err()).hasLineCount(1);
        assertThat(file).doesNotExist();
        assertThat(cli.run("explain", "job").out())
                .contains("refused", "sleepy", file.toString(), "1 refused as stale");
    }

    @Test
    void aStoreThatWentBackInTimeIsNamed() throws IOException {
        cli.run("acquire", "job");
        Path backup = directory.resolve("backup");
        copy(store, backup);
        cli.run("release", "job", "--token", "1");
        cli.run("acquire", "job");
        write("2", "of the second");
        FileLeaseStore.adopt(backup).close();
        cli = CliRunner.withStore(backup);
        Result refused = write("1", "after the restore");

        assertThat(refused.code()).isEqualTo(ExitCode.STALE);
        assertThat(refused.err()).contains("the store went back in time", "leasehold repair job --above 2");
        assertThat(file).hasContent("of the second");
        cli.run("repair", "job", "--above", "2", "--reason", "restored");
        assertThat(cli.run("acquire", "job").outLine()).isEqualTo("4");
        assertThat(write("4", "healed").code()).isZero();
    }

    @Test
    void oneTokenFromTwoAttemptsFailsClosed() {
        Map<String, Object> json =
                JsonText.object(cli.run("acquire", "job", "--json").out());
        String grant = json.get("grant").toString();
        cli.env("LEASEHOLD_GRANT", grant).stdin("one").run("write", file.toString());
        cli.env("LEASEHOLD_GRANT", grant.replaceFirst(";1;[a-z0-9]+;", ";1;another-attempt;"));
        Result refused = cli.stdin("two").run("write", file.toString(), "--json");

        assertThat(refused.code()).isEqualTo(ExitCode.STALE);
        assertThat(JsonText.object(refused.out())).containsEntry("outcome", "store-went-back");
        assertThat(file).hasContent("one");
    }

    @Test
    void withOnceEachTokenWritesOnlyOnce() {
        assertThat(write("1", "a", "--once").code()).isZero();
        Result again = write("1", "a", "--once");
        Result other = write("1", "b", "--once");

        assertThat(again.code()).isZero();
        assertThat(again.err()).contains("with the same content");
        assertThat(other.code()).isEqualTo(ExitCode.STALE);
        assertThat(file).hasContent("a");
        assertThat(write("2", "b", "--once").code()).isZero();
    }

    @Test
    void aTargetOfAnotherLeaseIsAUsageError() {
        write("1", "a");
        Result wrong = cli.stdin("b").run("write", file.toString(), "--name", "other", "--token", "5");

        assertThat(wrong.code()).isEqualTo(ExitCode.USAGE);
        assertThat(wrong.err()).contains("guarded by lease job").hasLineCount(1);
        assertThat(file).hasContent("a");
    }

    @Test
    void aRefusalStandsWhenTheStoreIsUnreachable() throws IOException {
        write("2", "a");
        cli = CliRunner.withMissingStore(Files.writeString(directory.resolve("not-a-directory"), ""));
        Result stale = write("1", "b");

        assertThat(stale.code()).isEqualTo(ExitCode.STALE);
        assertThat(stale.err()).contains("gave no details", "stale");
        assertThat(file).hasContent("a");
    }

    @Test
    void raisedTargetsRefuseOlderTokens() {
        Path other = directory.resolve("feed.xml");
        Result raised = cli.run("raise", file.toString(), other.toString(), "--name", "job", "--token", "3");

        assertThat(raised.code()).isZero();
        assertThat(raised.err()).contains(file + " raised to job token 3", other + " raised to job token 3");
        assertThat(write("2", "late").code()).isEqualTo(ExitCode.STALE);
        assertThat(file).doesNotExist();
        Result stale = cli.run("raise", other.toString(), "--name", "job", "--token", "2", "--json");
        assertThat(stale.code()).isEqualTo(ExitCode.STALE);
        assertThat(JsonText.object(stale.out()))
                .containsEntry("outcome", "stale")
                .containsEntry("raised", 3L);
    }

    @Test
    void aGitRemoteIsNotAFile() {
        for (String target : new String[] {"https://host/repo.git", "git@host:repo.git", "host:repo", "file:///x"}) {
            Result result = cli.run("write", target, "--name", "job", "--token", "3");

            assertThat(result.code()).as(target).isEqualTo(ExitCode.USAGE);
            assertThat(result.err()).contains("is a git remote").hasLineCount(1);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Files.copy(path, to.resolve(from.relativize(path).toString()));
            }
        }
    }
}
