package dev.leasehold.git;

import static dev.leasehold.git.GitFenceTest.FENCE;
import static dev.leasehold.git.GitFenceTest.grant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Admission;
import dev.leasehold.testkit.environment.Requires;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every way to reach a repository: a path, a file URL, ssh and http. */
@Requires("git")
class GitRemotesTest extends WithRemote {
    private final List<String> notices = new ArrayList<>();

    private Admission push(String remote, long token) {
        return GitFence.at(work, remote)
                .with(repositories.environment(), notices::add)
                .admit(grant(token), GitPush.of("main"));
    }

    /** Two pushes, a successor, a stale push, a rejected branch and a lost answer. */
    private void assertFenced(String remote) {
        assertThat(push(remote, 1)).isInstanceOf(Admission.Admitted.class);
        String second = repositories.commit(work, "second");
        assertThat(push(remote, 1)).isInstanceOf(Admission.Admitted.class);
        GitFence.at(directory, remote)
                .with(repositories.environment(), notices::add)
                .raise(grant(2));
        repositories.commit(work, "late");
        Admission stale = push(remote, 1);
        assertThat(stale).isInstanceOf(Admission.Stale.class);
        assertThat(((Admission.Stale) stale).raised().value()).isEqualTo(2);
        assertThat(repositories.ref(target, "main")).isEqualTo(second);
        repositories.hook(target, "pre-receive", "echo closed today; exit 1\n");
        Admission rejected = push(remote, 2);
        assertThat(rejected).isInstanceOf(Admission.Rejected.class);
        assertThat(((Admission.Rejected) rejected).words()).contains("closed today");
        repositories.hook(target, "pre-receive", "exit 0\n");
        repositories.hook(
                target,
                "reference-transaction",
                "[ $1 = committed ] && [ ! -e lost ] || exit 0\n: > lost\nkill -KILL $PPID\n");
        assertThat(push(remote, 2)).isInstanceOf(Admission.Admitted.class);
        assertThat(target.resolve("lost")).exists();
        assertThat(repositories.ref(target, "main")).isEqualTo(repositories.ref(work, "main"));
        repositories.requireSound(target);
    }

    @Test
    void pushesToAPathAndAFileUrlAreFenced() {
        assertFenced(target.toString());
        assertThat(push("file://" + target, 1)).isInstanceOf(Admission.Stale.class);
    }

    /** Uses a stand-in for ssh that ignores the host and runs the command locally. */
    @Test
    void ssh() {
        Path ssh = directory.resolve("ssh");
        Repositories.write(ssh, "#!/bin/sh\nfor last; do :; done\nexec sh -c \"$last\"\n");
        assertThat(ssh.toFile().setExecutable(true)).isTrue();
        repositories.env("GIT_SSH_COMMAND", ssh.toString());

        assertFenced("git@host:" + target);
        assertThat(push("ssh://git@host" + target, 1)).isInstanceOf(Admission.Stale.class);
    }

    @Test
    void pushesOverHttpAreFencedAndThePasswordIsNotShown() throws Exception {
        try (HttpBackend server = HttpBackend.start(directory, repositories.environment(), "me:s3cret")) {
            repositories.git(target, "config", "http.receivepack", "true");
            String remote = server.url("me:s3cret@", "target.git");
            assertFenced(remote);
            repositories.git(target, "config", "http.receivepack", "false");
            repositories.commit(work, "third");
            assertThatThrownBy(() -> push(remote, 2))
                    .isInstanceOf(TargetUnavailableException.class)
                    .hasMessageContaining("me:***@127.0.0.1")
                    .hasMessageNotContaining("s3cret");
            assertThatThrownBy(() -> push(server.url("me:s3cret@", "nosuch.git"), 2))
                    .isInstanceOf(TargetUnavailableException.class)
                    .hasMessageNotContaining("s3cret");
            assertThatThrownBy(() -> push(server.url("token-only-s3cret@", "target.git"), 2))
                    .hasMessageNotContaining("s3cret");
        }
        assertThat(notices.toString()).doesNotContain("s3cret");
    }

    /** Credentials in the settings of the repository are also used for the fence. */
    @Test
    void pushesOverHttpUseTheHeaderFromTheRepositorySettings() throws Exception {
        try (HttpBackend server = HttpBackend.start(directory, repositories.environment(), "me:s3cret")) {
            repositories.git(target, "config", "http.receivepack", "true");
            repositories.git(work, "remote", "set-url", "origin", server.url("", "target.git"));
            repositories.git(
                    work, "config", "http." + server.url("", "") + ".extraHeader", "Authorization: Basic bWU6czNjcmV0");

            assertThat(push("origin", 1)).isInstanceOf(Admission.Admitted.class);
            assertThat(push("origin", 2)).isInstanceOf(Admission.Admitted.class);
            assertThat(repositories.ref(work, "refs/remotes/origin/main")).isNotEmpty();
        }
    }

    @Test
    void plainFilesOverHttpAreRefused() throws Exception {
        repositories.git(work, "push", "--quiet", "origin", "main");
        repositories.git(target, "update-server-info");
        try (HttpBackend server = HttpBackend.plainFiles(directory)) {
            assertThatThrownBy(() -> push(server.url("", "target.git"), 1))
                    .isInstanceOf(TargetUnavailableException.class)
                    .hasMessageContaining("cannot be atomic");
        }
        assertThat(repositories.ref(target, FENCE)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--upload-pack=touch pwned", "-x", "ftp://host/x", "a\nb"})
    void anInvalidRemoteIsAUsageError(String remote) {
        assertThatThrownBy(() -> push(remote, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThat(work.resolve("pwned")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nosuch",
                "/nonexistent/x.git",
                "ssh://127.0.0.1:1/x.git",
                "http://127.0.0.1:1/x.git",
                "ext::sh -c true"
            })
    void anUnreachableRemoteIsUnavailable(String remote) {
        assertThatThrownBy(() -> push(remote, 1))
                .isInstanceOf(TargetUnavailableException.class)
                .hasMessageContaining("cannot be read");
    }

    @Test
    void aMissingGitIsReported() {
        GitFence fence = GitFence.at(directory.resolve("missing"), target.toString());

        assertThatThrownBy(() -> fence.raise(grant(1)))
                .isInstanceOf(TargetUnavailableException.class)
                .hasMessageContaining("git could not be run");
        assertThat(Files.exists(target)).isTrue();
    }
}
