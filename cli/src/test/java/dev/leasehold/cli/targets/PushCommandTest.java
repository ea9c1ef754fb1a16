package dev.leasehold.cli.targets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.JsonText;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.testkit.environment.Requires;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Push, and git remotes as targets of the other commands. */
@Requires("git")
class PushCommandTest {
    @TempDir
    Path directory;

    private CliRunner cli;
    private Path target;
    private Path work;

    @BeforeEach
    void repositories() throws Exception {
        target = directory.resolve("target.git");
        work = directory.resolve("work");
        Files.createDirectory(work);
        cli = CliRunner.withStore(directory.resolve("store"))
                .env("PATH", System.getenv("PATH"))
                .env("HOME", directory.toString())
                .env("GIT_CONFIG_NOSYSTEM", "1")
                .env("GIT_DIR", work.resolve(".git").toString())
                .env("GIT_WORK_TREE", work.toString());
        Files.writeString(
                directory.resolve(".gitconfig"),
                "[user]\n\tname = U\n\temail = u@x\n[init]\n\tdefaultBranch = main\n[advice]\n\tdetachedHead = false\n");
        git("--git-dir=" + target, "init", "--quiet", "--bare");
        git("init", "--quiet");
        git("remote", "add", "origin", target.toString());
        commit("first");
    }

    private String commit(String message) throws Exception {
        git("commit", "--quiet", "--allow-empty", "--message", message);
        return git("rev-parse", "HEAD");
    }

    private String git(String... words) throws Exception {
        List<String> line = new ArrayList<>(List.of("git"));
        line.addAll(List.of(words));
        ProcessBuilder builder =
                new ProcessBuilder(line).directory(work.toFile()).redirectErrorStream(true);
        builder.environment().putAll(cli.environment());
        if (words[0].startsWith("--git-dir")) {
            builder.environment().keySet().removeAll(List.of("GIT_DIR", "GIT_WORK_TREE"));
        }
        Process process = builder.start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(line + " " + out).isZero();
        return out.strip();
    }

    private String refs() throws Exception {
        return git("--git-dir=" + target, "for-each-ref", "--format=%(refname) %(objectname)");
    }

    private Result push(String token, String... more) {
        return cli.run(
                Stream.concat(Stream.of("push", "origin", "main", "--name", "job", "--token", token), Stream.of(more))
                        .toArray(String[]::new));
    }

    @Test
    void pushesUnderTheGrantAndRefusesAStaleOne() throws Exception {
        Result first = push("1");
        assertThat(first.code()).as(first.err()).isZero();
        assertThat(first.err()).isEqualTo("leasehold: origin: pushed main under job token 1\n");
        assertThat(cli.run("raise", "origin", "--name", "job", "--token", "2").err())
                .contains("origin raised to job token 2");
        String before = refs();
        commit("late");
        cli.run("acquire", "job");
        cli.run("takeover", "job", "--reason", "stuck");
        Result stale = push("1");

        assertThat(stale.code()).isEqualTo(ExitCode.STALE);
        assertThat(stale.err())
                .contains("nothing was written", "stale", "token 2")
                .hasLineCount(1);
        assertThat(refs()).isEqualTo(before);
        assertThat(cli.run("explain", "job").out()).contains("refused", "origin");
        assertThat(JsonText.object(push("1", "--json").out()))
                .containsEntry("outcome", "stale")
                .containsEntry("raised", 2L);
        assertThat(JsonText.object(push("2", "--json").out()))
                .containsEntry("outcome", "pushed")
                .containsEntry("target", "origin");
    }

    @Test
    void aRejectedBranchIsDistinguishedFromAStaleToken() throws Exception {
        push("1");
        git("commit", "--quiet", "--amend", "--allow-empty", "--message", "another");
        String before = refs();
        Result rejected = push("1");

        assertThat(rejected.code()).isEqualTo(ExitCode.REJECTED);
        assertThat(rejected.err())
                .contains("nothing was pushed", "non-fast-forward")
                .doesNotContain("stale");
        assertThat(JsonText.object(push("1", "--json").out())).containsEntry("outcome", "rejected");
        assertThat(refs()).isEqualTo(before);
    }

    @Test
    void withOnceEachTokenWritesOnlyOnce() throws Exception {
        assertThat(push("1", "--once").code()).isZero();
        assertThat(push("1", "--once").err()).contains("already pushed");
        commit("second");
        assertThat(push("1", "--once").code()).isEqualTo(ExitCode.STALE);
        assertThat(push("2", "--once").code()).isZero();
    }

    @Test
    void observeAdmitsAndCountsStalePushes() throws Exception {
        push("2");
        String second = commit("second");
        Result observed = push("1", "--observe");

        assertThat(observed.code()).isZero();
        assertThat(observed.err()).contains("WAS WRITTEN", "--observe protects nothing");
        assertThat(refs()).contains("refs/heads/main " + second);
        commit("third");
        assertThat(push("1").code()).isEqualTo(ExitCode.STALE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--force origin main",
                "-f origin main",
                "--mirror origin main",
                "--delete origin main",
                "--tags origin main",
                "origin",
                "origin :main",
                "origin refs/heads/*:refs/heads/*",
                "origin main:refs/leasehold/job",
                "origin main:leasehold/job",
                "-- --upload-pack=touch,pwned main"
            })
    void optionsThatWouldBypassTheFenceAreUsageErrors(String words) throws Exception {
        List<String> line = new ArrayList<>(List.of("push", "--name", "job", "--token", "1"));
        line.addAll(List.of(words.split(" ")));
        Result result = cli.run(line.toArray(String[]::new));

        assertThat(result.code()).isEqualTo(ExitCode.USAGE);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).startsWith("leasehold: ").hasLineCount(1);
        assertThat(refs()).isEmpty();
        assertThat(Files.exists(work.resolve("pwned"))).isFalse();
    }

    @Test
    void anUnknownBranchIsNamed() throws Exception {
        Result result = cli.run("push", "origin", "nosuch", "--name", "job", "--token", "1");

        assertThat(result.code()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err())
                .startsWith("leasehold: 'nosuch' is not a branch, tag or commit here")
                .contains("Nothing was pushed")
                .hasLineCount(1);
        assertThat(refs()).isEmpty();
    }

    @Test
    void withoutATokenNothingIsPushed() throws Exception {
        assertThat(cli.run("push", "origin", "main", "--name", "job").code()).isEqualTo(ExitCode.USAGE);
        assertThat(refs()).isEmpty();
    }

    @Test
    void anUnreachableRemoteIsUnavailableAndKeepsItsSecrets() {
        String remote = "http://me:s3cret@127.0.0.1:1/x.git";
        Result result = cli.run("push", remote, "main", "--name", "job", "--token", "1");

        assertThat(result.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(result.err()).contains("cannot be read").hasLineCount(1).doesNotContain("s3cret");
        assertThat(cli.run("raise", remote, "--name", "job", "--token", "1").err())
                .contains("cannot be read")
                .doesNotContain("s3cret");
        assertThat(cli.run("doctor", "--git", remote).err()).doesNotContain("s3cret");
    }

    @Test
    void remotesAndFilesAreDistinguished() throws Exception {
        Path file = directory.resolve("page.html");
        Result raised = cli.run(
                "raise",
                target.toString(),
                "file://" + target,
                "origin",
                file.toString(),
                "./page",
                "--name",
                "job",
                "--token",
                "3");

        assertThat(raised.code()).as(raised.err()).isZero();
        assertThat(refs()).contains("refs/leasehold/job");
        assertThat(directory.resolve(".page.html.leasehold-fence")).exists();
        Path here = Path.of(".page.leasehold-fence");
        assertThat(Files.deleteIfExists(here))
                .as("a path is a file, even inside a repository")
                .isTrue();
        assertThat(Path.of(".origin.leasehold-fence")).doesNotExist();
        assertThat(push("2").code()).isEqualTo(ExitCode.STALE);
    }

    @Test
    void runRaisesTheRemoteAndTheCommandPushesUnderItsGrant() throws Exception {
        Path program = cli.script(directory);
        cli.in(work);
        Result run = cli.process("run", "job", "--guard", "origin", "--", program.toString(), "push", "origin", "main");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err()).contains("pushed main under job token 1");
        assertThat(cli.run("takeover", "job", "--reason", "stuck", "--guard", "origin")
                        .err())
                .contains("origin raised to job token 2");
        commit("late");
        assertThat(push("1").code()).isEqualTo(ExitCode.STALE);
        cli.run("release", "job", "--token", "2");
        cli.run("raise", "origin", "--name", "job", "--token", "9", "--no-check");
        Result refused = cli.process("run", "job", "--guard", "origin", "--", "touch", "ran");
        assertThat(refused.code()).isEqualTo(ExitCode.STALE);
        assertThat(work.resolve("ran")).doesNotExist();
    }

    /** A run must not load classes that it does not need: they slow its start. */
    @Test
    void aRunWithoutAGitGuardLoadsNothingOfGit() throws Exception {
        Path loaded = directory.resolve("loaded");
        cli.jvmOption("-Xlog:class+load:file=" + loaded).in(work);
        Result run =
                cli.process("run", "job", "--guard", directory.resolve("page").toString(), "--", "true");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(loaded)
                .content()
                .contains("dev.leasehold.cli.targets.TargetOption")
                .doesNotContain("dev.leasehold.git.");
    }

    @Test
    void theHookIsInstalledShownAndRemoved() throws IOException {
        String repository = target.toString();
        assertThat(cli.run("git-hook", "status", repository).out()).contains("not protected");
        assertThat(cli.run("git-hook", "install", repository, "--name", "job", "--protect", "refs/heads/main")
                        .out())
                .contains("protected: refs/heads/main", "fence of job");
        assertThat(JsonText.object(
                        cli.run("git-hook", "status", repository, "--json").out()))
                .containsEntry("installed", true)
                .containsEntry("lease", "job");
        assertThat(cli.run("git-hook", "uninstall", repository).out()).contains("not protected");
        assertThat(cli.run("git-hook", "uninstall", repository).err()).contains("Leasehold has no hook");
        assertThat(cli.run("git-hook", "status", directory.toString()).code()).isEqualTo(ExitCode.USAGE);
        assertThat(cli.run("git-hook", "status", repository, "--name", "job").code())
                .isEqualTo(ExitCode.USAGE);
        assertThat(cli.run("git-hook", "destroy", repository).code()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void theDoctorChecksWhetherARemoteCanBeFenced() throws Exception {
        Result result = cli.run("doctor", "--git", "origin");

        assertThat(result.code()).as(result.err()).isZero();
        assertThat(result.out()).contains("was refused as a whole", "grade: atomic");
        assertThat(refs()).isEmpty();
        git("--git-dir=" + target, "config", "receive.advertiseAtomic", "false");
        assertThat(cli.run("doctor", "--git", "origin").code()).isEqualTo(ExitCode.UNAVAILABLE);
    }

    @Test
    void aRemoteIsBoundToAnotherStore() throws Exception {
        String grant = String.valueOf(
                JsonText.object(cli.run("acquire", "job", "--json").out()).get("grant"));
        cli.env("LEASEHOLD_GRANT", grant);
        assertThat(cli.run("push", "origin", "main").code()).isZero();
        cli.without("LEASEHOLD_GRANT");
        assertThat(cli.run("fence", "show", "origin").err()).contains("name the lease with --name");
        assertThat(cli.run("fence", "show", "origin", "--name", "job").out()).contains("token: 1", "a git remote");
        assertThat(cli.run("fence", "show", "origin", "--name", "other").out()).isEqualTo("origin has no fence\n");
        assertThat(cli.run("fence", "rebind", "origin", "--name", "other", "--reason", "r")
                        .code())
                .isEqualTo(ExitCode.USAGE);

        Path elsewhere = directory.resolve("elsewhere");
        cli.run("store", "init", "file:" + elsewhere);
        cli.env("LEASEHOLD_STORE", "file:" + elsewhere);
        Result refused = cli.run("run", "job", "--guard", "origin", "--", "true");
        assertThat(refused.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(refused.err()).contains("'leasehold fence rebind origin --name job --reason ...'");
        Result rebound = cli.run("fence", "rebind", "origin", "--name", "job", "--reason", "lost");
        assertThat(rebound.code()).as(rebound.err()).isZero();
        assertThat(cli.run("run", "job", "--guard", "origin", "--", "true").code())
                .isZero();
        assertThat(cli.env("LEASEHOLD_GRANT", grant)
                        .run("push", "origin", "main", "--no-check")
                        .code())
                .isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(cli.without("LEASEHOLD_GRANT")
                        .run("push", "origin", "main", "--name", "job", "--token", "1", "--no-check")
                        .code())
                .isEqualTo(ExitCode.STALE);
    }
}
