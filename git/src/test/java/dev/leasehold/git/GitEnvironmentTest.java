package dev.leasehold.git;

import static dev.leasehold.git.GitFenceTest.FENCE;
import static dev.leasehold.git.GitFenceTest.grant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Admission;
import dev.leasehold.testkit.environment.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The kinds of repositories and settings that a push can start from. It leaves nothing
 * behind there.
 */
@Requires("git")
class GitEnvironmentTest extends WithRemote {
    private Admission push(Path from, String remote, long token, String... refspecs) {
        return GitFence.at(from, remote)
                .with(repositories.environment(), notice -> {})
                .admit(grant(token), GitPush.of(refspecs));
    }

    private void assertPushes(Path from) {
        String commit = repositories.commit(from, "from " + from);
        assertThat(push(from, "origin", 1, "HEAD:refs/heads/page")).isInstanceOf(Admission.Admitted.class);
        assertThat(push(from, "origin", 2, "HEAD:refs/heads/page")).isInstanceOf(Admission.Admitted.class);
        assertThat(push(from, "origin", 1, "HEAD:refs/heads/page")).isInstanceOf(Admission.Stale.class);
        assertThat(repositories.ref(target, "page")).isEqualTo(commit);
        repositories.requireSound(target);
        repositories.requireSound(from);
    }

    @Test
    void nothingIsLeftBehindExceptWhatGitLeaves() throws IOException {
        Path plain = repositories.working("plain", repositories.bare("other.git"));
        repositories.git(plain, "push", "--quiet", "origin", "main");
        Files.createFile(work.resolve(".git/index.lock"));
        List<Path> temporary = temporaryDirectories();
        push(work, "origin", 1, "main");
        push(work, "origin", 2, "main");
        Files.delete(work.resolve(".git/index.lock"));

        assertThat(files(work)).isEqualTo(files(plain));
        assertThat(repositories.git(work, "for-each-ref")).isEqualTo(repositories.git(plain, "for-each-ref"));
        assertThat(Files.readString(work.resolve(".git/config")).replace("target.git", "other.git"))
                .isEqualTo(Files.readString(plain.resolve(".git/config")));
        List<Path> left = temporaryDirectories();
        left.removeAll(temporary);
        requireGoneSoon(left);
    }

    /** Directories of other tests that run at the same time disappear when those tests end. */
    private static void requireGoneSoon(List<Path> directories) {
        for (Path directory : directories) {
            for (int tries = 0; Files.exists(directory); tries++) {
                assertThat(tries).as("%s is still there", directory).isLessThan(1_000);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
        }
    }

    private static List<String> files(Path repository) throws IOException {
        try (Stream<Path> all = Files.walk(repository)) {
            return all.map(file -> repository.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    private static List<Path> temporaryDirectories() throws IOException {
        try (Stream<Path> all = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return new ArrayList<>(
                    all.filter(path -> path.getFileName().toString().startsWith("leasehold-git-"))
                            .toList());
        }
    }

    @Test
    void aMirrorDoesNotStoreTheFence() {
        push(work, "origin", 1, "main");
        repositories.git(directory, "clone", "--quiet", "--mirror", target.toString(), "mirror.git");
        Path mirror = directory.resolve("mirror.git");
        push(mirror, "origin", 2, "main:refs/heads/copy");

        assertThat(repositories.ref(target, "copy")).isNotEmpty();
        repositories.requireSound(mirror);
    }

    @Test
    void pushesFromWorktreesAndSubdirectories() throws IOException {
        repositories.git(work, "worktree", "add", "--quiet", "-b", "side", "../tree");
        repositories.git(work, "remote", "set-url", "origin", "../target.git");
        Path below = Files.createDirectories(directory.resolve("tree/a/b"));
        assertPushes(directory.resolve("tree"));
        assertThat(push(below, "origin", 3, "side")).isInstanceOf(Admission.Admitted.class);
    }

    @Test
    void pushesFromAShallowClone() {
        repositories.commit(work, "second");
        repositories.git(work, "push", "--quiet", "origin", "main");
        repositories.git(directory, "clone", "--quiet", "--depth=1", "file://" + target, "shallow");
        assertPushes(directory.resolve("shallow"));
        assertThat(repositories.git(directory.resolve("shallow"), "rev-list", "--count", "HEAD"))
                .isEqualTo("2");
    }

    @Test
    void pushesFromASubmoduleAndItsSuperproject() {
        Path library = repositories.bare("library.git");
        Path source = repositories.working("source", library);
        repositories.git(source, "push", "--quiet", "origin", "main");
        repositories.git(
                work, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library.toString(), "lib");
        repositories.git(work, "commit", "--quiet", "--message", "with lib");
        repositories.git(work, "config", "push.recurseSubmodules", "on-demand");
        assertPushes(work);
        Path inside = work.resolve("lib");
        repositories.commit(inside, "not pushed yet");
        repositories.git(work, "commit", "--quiet", "--all", "--message", "newer lib");

        assertThatThrownBy(() -> push(work, "origin", 2, "main"))
                .isInstanceOf(TargetUnavailableException.class)
                .hasMessageContainingAll("nothing was pushed", "lib");
        assertThat(push(inside, "origin", 1, "HEAD:main")).isInstanceOf(Admission.Admitted.class);
        assertThat(push(work, "origin", 2, "main")).isInstanceOf(Admission.Admitted.class);
    }

    @Test
    void pushesWithSignedTagsAndOtherUserSettings() {
        for (String setting : List.of(
                "commit.gpgSign=true",
                "tag.gpgSign=true",
                "gpg.program=/nonexistent",
                "push.followTags=true",
                "push.default=nothing",
                "push.useForceIfIncludes=true",
                "fetch.prune=true",
                "fetch.fsckObjects=true",
                "fetch.unpackLimit=1",
                "transfer.unpackLimit=1",
                "core.hooksPath=/nonexistent",
                "core.fsmonitor=/nonexistent",
                "color.ui=always",
                "remote.origin.push=refs/heads/main:refs/heads/elsewhere")) {
            String[] keyAndValue = setting.split("=", 2);
            repositories.git(work, "config", keyAndValue[0], keyAndValue[1]);
        }
        repositories.env("LC_ALL", "de_DE.UTF-8").env("LANGUAGE", "de");
        repositories.git(work, "-c", "tag.gpgSign=false", "tag", "--annotate", "--message", "x", "v1");
        assertThat(push(work, "origin", 1, "main")).isInstanceOf(Admission.Admitted.class);
        assertThat(push(work, "origin", 2, "main:second")).isInstanceOf(Admission.Admitted.class);
        assertThat(push(work, "origin", 1, "main")).isInstanceOf(Admission.Stale.class);
        assertThat(repositories.git(target, "for-each-ref", "--format=%(refname)"))
                .isEqualTo("refs/heads/main\nrefs/heads/second\n" + FENCE + "\nrefs/tags/v1");
    }

    @Test
    void pushesWithSha256Objects() {
        repositories.env("GIT_DEFAULT_HASH", "sha256");
        target = repositories.bare("t256.git");
        assertPushes(repositories.working("w256", target));
    }

    @Test
    void environmentVariablesOfGitApply() {
        String commit = repositories.commit(work, "second");
        repositories.env("GIT_DIR", work.resolve(".git").toString()).env("GIT_WORK_TREE", work.toString());
        repositories
                .env("GIT_CONFIG_COUNT", "1")
                .env("GIT_CONFIG_KEY_0", "url." + target + ".insteadOf")
                .env("GIT_CONFIG_VALUE_0", "short:");
        assertThat(push(directory, "short:", 1, "main")).isInstanceOf(Admission.Admitted.class);
        repositories.environment().remove("GIT_DIR");

        assertThat(repositories.ref(target, "main")).isEqualTo(commit);
        assertThat(repositories.git(target, "for-each-ref", "--format=%(refname)"))
                .isEqualTo("refs/heads/main\n" + FENCE);
    }

    @Test
    void raisingNeedsNoRepositoryButPushingDoes() {
        GitFence fence = GitFence.at(directory, target.toString()).with(repositories.environment(), notice -> {});

        assertThat(fence.raise(grant(4))).isInstanceOf(Admission.Admitted.class);
        assertThat(push(work, "origin", 3, "main")).isInstanceOf(Admission.Stale.class);
        assertThatThrownBy(() -> fence.admit(grant(4), GitPush.of("main")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("this is not a git repository")
                .hasMessageEndingWith("Nothing was pushed");
    }

    @Test
    void settingsOfTheRepositoryApplyToTheFence() {
        Path elsewhere = repositories.bare("elsewhere.git");
        repositories.git(work, "config", "url." + target + ".pushInsteadOf", elsewhere.toString());
        repositories.git(work, "remote", "set-url", "origin", elsewhere.toString());
        push(work, "origin", 2, "main");
        assertThat(repositories.git(elsewhere, "for-each-ref")).isEmpty();
        assertThat(repositories.ref(target, FENCE)).isNotEmpty();
        assertThat(push(work, elsewhere.toString(), 1, "main")).isInstanceOf(Admission.Stale.class);
        repositories.git(work, "remote", "set-url", "--push", "origin", elsewhere.toString());
        push(work, "origin", 1, "main");
        assertThat(repositories.ref(elsewhere, "main")).isNotEmpty();
        repositories.git(work, "remote", "set-url", "--add", "--push", "origin", target.toString());

        assertThatThrownBy(() -> push(work, "origin", 3, "main"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2 push URLs");
    }
}
