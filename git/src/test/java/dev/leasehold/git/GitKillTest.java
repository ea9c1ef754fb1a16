package dev.leasehold.git;

import static dev.leasehold.git.GitFenceTest.grant;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import dev.leasehold.testkit.environment.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A push is killed (SIGKILL) before and after each git command that it runs, and, while the server
 * works, at each step of the server. Afterwards the next push of the same grant has the same
 * result, a successor can continue, and no repository is damaged.
 */
@Requires({"git", "setsid"})
class GitKillTest {
    @TempDir
    Path directory;

    private Repositories repositories;
    private Path target;
    private Path work;

    @BeforeEach
    void repositories() {
        repositories = new Repositories(directory);
    }

    /**
     * Installs a git wrapper that counts its calls and kills the whole session at the chosen one.
     */
    private void installCountingGit(Path bin) {
        Path git = bin.resolve("git");
        Repositories.write(
                git,
                """
                #!/bin/sh
                PATH=%s
                end() { kill -s KILL -- -$(ps -o pgid= -p $$ | tr -d ' '); sleep 60; }
                echo "$1" >> "$CALLS"
                n=$(wc -l < "$CALLS" | tr -d ' ')
                [ "$AT" != "before $n" ] || end
                git "$@"
                code=$?
                [ "$AT" != "after $n" ] || end
                exit $code
                """
                        .formatted(System.getenv("PATH")));
        assertThat(git.toFile().setExecutable(true)).isTrue();
    }

    @Test
    void aPushKilledBetweenGitCommandsRecovers() throws Exception {
        Path bin = directory.resolve("bin");
        installCountingGit(bin);
        repositories.env("PATH", bin + ":" + System.getenv("PATH"));
        createRepositories("undisturbed");
        assertThat(killed("nowhere")).as("ended by itself").isFalse();
        int calls = Files.readAllLines(directory.resolve("calls")).size();
        assertThat(calls).isBetween(4, 12);
        // Nothing visible happens between two commands, so after one is the same as before
        // the next.
        for (int call = 1; call <= calls; call++) {
            assertKilledAndRecovers("before " + call);
        }
        assertKilledAndRecovers("after " + calls);
    }

    private void assertKilledAndRecovers(String point) throws Exception {
        createRepositories(point);
        assertThat(killed(point)).as(point).isTrue();
        assertRecovers(point);
    }

    /** The server is another machine, so it continues when the pushing process is dead. */
    @Test
    void aPushKilledWhileTheServerWorksRecovers() throws Exception {
        for (String hook : List.of("pre-receive", "update", "reference-transaction", "post-receive")) {
            createRepositories(hook);
            assertThat(GitFence.at(work, target.toString())
                            .with(repositories.environment(), n -> {})
                            .raise(grant(1)))
                    .isInstanceOf(Admission.Admitted.class);
            repositories.hook(work.resolve(".git"), "pre-push", "echo $PPID > " + directory + "/git-pid\n");
            repositories.hook(
                    target,
                    hook,
                    "[ -e " + directory + "/git-pid ] || exit 0; kill -KILL $(cat " + directory + "/java-pid "
                            + directory + "/git-pid); rm " + directory + "/git-pid\nexit 0\n");
            assertThat(killed("nowhere")).as(hook).isTrue();
            Files.delete(target.resolve("hooks").resolve(hook));
            Files.delete(work.resolve(".git/hooks/pre-push"));
            assertRecovers(hook);
        }
    }

    private void createRepositories(String name) throws IOException {
        Files.deleteIfExists(directory.resolve("calls"));
        target = repositories.bare(name.replace(' ', '-') + ".git");
        work = repositories.working(name.replace(' ', '-'), target);
        Files.deleteIfExists(directory.resolve("calls"));
    }

    /** Whether the push was killed. */
    private boolean killed(String at) throws Exception {
        String classPath = placeOf(PushMain.class) + ":" + placeOf(GitFence.class) + ":" + placeOf(Grant.class);
        List<String> line = new ArrayList<>(List.of(
                "setsid",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Djava.io.tmpdir=" + directory,
                "-cp",
                classPath,
                PushMain.class.getName()));
        line.addAll(List.of(work.toString(), target.toString(), "1", "main"));
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
        builder.environment().putAll(repositories.environment());
        builder.environment().put("CALLS", directory.resolve("calls").toString());
        builder.environment().put("AT", at);
        builder.environment().put("TMPDIR", directory.toString());
        builder.redirectOutput(directory.resolve("log").toFile());
        Process process = builder.start();
        Repositories.write(directory.resolve("java-pid"), process.pid() + "\n");
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("still running: " + Files.readString(directory.resolve("log")));
        }
        boolean killed = process.exitValue() == 128 + 9;
        assertThat(killed || process.exitValue() == 0)
                .as(Files.readString(directory.resolve("log")))
                .isTrue();
        return killed;
    }

    private void assertRecovers(String point) {
        String first = repositories.ref(work, "main");
        GitFence again = GitFence.at(work, target.toString()).with(repositories.environment(), notice -> {});
        // The server may still be processing what was sent before the kill. The result is the same.
        assertThat(again.admit(grant(1), GitPush.of("main"))).as(point).isInstanceOf(Admission.Admitted.class);
        assertThat(repositories.ref(target, "main")).as(point).isEqualTo(first);
        assertThat(again.raise(grant(2))).as(point).isInstanceOf(Admission.Admitted.class);
        repositories.commit(work, "late");
        assertThat(again.admit(grant(1), GitPush.of("main"))).as(point).isInstanceOf(Admission.Stale.class);
        assertThat(repositories.ref(target, "main")).as(point).isEqualTo(first);
        repositories.requireSound(target);
        repositories.requireSound(work);
    }

    private static Path placeOf(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }
}
