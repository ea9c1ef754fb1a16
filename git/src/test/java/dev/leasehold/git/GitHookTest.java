package dev.leasehold.git;

import static dev.leasehold.git.GitFenceTest.FENCE;
import static dev.leasehold.git.GitFenceTest.grant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.doctor.Grade;
import dev.leasehold.git.Repositories.Outcome;
import dev.leasehold.model.Admission;
import dev.leasehold.model.LeaseName;
import dev.leasehold.testkit.environment.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A repository whose hook requires the fence. */
@Requires("git")
class GitHookTest extends WithRemote {
    @BeforeEach
    void aProtectedRepository() {
        assertThat(hook().install(null, List.of())).isEmpty();
    }

    private GitHook hook() {
        return GitHook.of(target, repositories.environment());
    }

    private Admission push(String remote, long token) {
        return GitFence.at(work, remote)
                .with(repositories.environment(), notice -> {})
                .admit(grant(token), GitPush.of("main"));
    }

    /**
     * A zombie that bypasses Leasehold, a user without Leasehold, and a user who forges the fence
     * are refused.
     */
    private void assertProtected(String remote) {
        assertThat(push(remote, 1)).isInstanceOf(Admission.Admitted.class);
        assertThat(push(remote, 2)).isInstanceOf(Admission.Admitted.class);
        String landed = repositories.ref(target, "main");
        String fence = repositories.ref(target, FENCE);
        repositories.commit(work, "late, for " + remote);
        Outcome plain = repositories.tryGit(work, "push", remote, "main");
        assertThat(plain.code()).isNotZero();
        if (!remote.startsWith("http")) {
            // Over http, the output of this hook is not sent to the client; it is in the
            // server's log.
            assertThat(plain.out()).contains("leasehold: refused", "refs/heads/main", "use 'leasehold push'");
        }
        for (String refspecs : List.of(
                "main:new",
                ":main",
                "main +main:" + FENCE,
                "main:refs/leasehold/other main",
                ":" + FENCE,
                "+" + fence + "^:" + FENCE + " main")) {
            repositories.git(work, "fetch", "--quiet", target.toString(), FENCE);
            String line = "git push --atomic " + remote + " " + refspecs;
            assertThat(repositories.run(work, List.of("sh", "-c", line)).code())
                    .as(line)
                    .isNotZero();
        }
        assertThat(repositories.git(target, "for-each-ref", "--format=%(refname) %(objectname)"))
                .isEqualTo("refs/heads/main " + landed + "\n" + FENCE + " " + fence);
        assertThat(push(remote, 1)).isInstanceOf(Admission.Stale.class);
        assertThat(push(remote, 2)).isInstanceOf(Admission.Admitted.class);
        assertThat(repositories.ref(target, "main")).isEqualTo(repositories.ref(work, "main"));
    }

    @Test
    void plainPushesOverAPathAreRefused() {
        assertProtected(target.toString());
    }

    @Test
    void plainPushesOverHttpAreRefused() throws IOException {
        repositories.git(target, "config", "http.receivepack", "true");
        try (HttpBackend server = HttpBackend.start(directory, repositories.environment(), null)) {
            assertProtected(server.url("", "target.git"));
        }
    }

    /**
     * What a stale client would send if it did not judge the grant itself: a valid fence commit
     * with an old token.
     */
    @Test
    void aFenceCommitWithALowerTokenIsRefused() {
        push(target.toString(), 5);
        String landed = repositories.ref(target, "main");
        for (String change :
                List.of("s/^raised=.*/raised=4/", "s/^attempt=.*/attempt=another-one/", "s/^raised=.*//")) {
            String script = "old=$(git rev-parse " + FENCE + "); new=$(git cat-file commit $old | sed -e '1,/^$/d' -e '"
                    + change + "' | git commit-tree -p $old $(git mktree < /dev/null))\n"
                    + "printf 'start\\nupdate refs/heads/main %s\\nupdate " + FENCE + " %s\\ncommit\\n' $new $new |"
                    + " git update-ref --stdin";
            assertThat(repositories.run(target, List.of("sh", "-c", script)).out())
                    .as(change)
                    .contains("leasehold: refused");
        }
        assertThat(repositories.ref(target, "main")).isEqualTo(landed);
    }

    @Test
    void anAdministratorCanSwitchTheHookOff() {
        push(target.toString(), 1);
        String landed = repositories.ref(target, "main");

        assertThat(repositories
                        .tryGit(target, "update-ref", "refs/heads/copy", landed)
                        .out())
                .contains("leasehold: refused");
        assertThat(repositories
                        .tryGit(target, "update-ref", "refs/notes/free", landed)
                        .code())
                .isZero();
        for (int i = 0; i < 2; i++) {
            assertThat(repositories.tryGit(target, "gc", "--quiet").out()).isEmpty();
            assertThat(repositories.ref(target, FENCE)).isNotEmpty();
        }
        assertThat(repositories.tryGit(target, "branch", "-D", "main").code()).isNotZero();
        assertThat(repositories.tryGit(target, "update-ref", "-d", FENCE).code())
                .isNotZero();
        assertThat(push(target.toString(), 2)).isInstanceOf(Admission.Admitted.class);
        repositories.env("LEASEHOLD_GIT_HOOK", "off");
        repositories.git(target, "update-ref", "refs/heads/copy", landed);
        repositories.git(target, "update-ref", "-d", FENCE);
    }

    @Test
    void onlyTheNamedRefsAndLeaseAreProtected() {
        hook().install(LeaseName.of("release"), List.of("refs/heads/main", "refs/tags/v*"));

        assertThat(hook().status())
                .contains(new GitHook.Rules(LeaseName.of("release"), List.of("refs/heads/main", "refs/tags/v*")));
        assertThat(repositories.tryGit(work, "push", "origin", "main:side").code())
                .isZero();
        assertThat(repositories.tryGit(work, "push", "origin", "main").code()).isNotZero();
        assertThat(repositories
                        .tryGit(work, "push", "origin", "main:refs/tags/v1")
                        .code())
                .isNotZero();
        assertThat(repositories
                        .tryGit(work, "push", "origin", "main:refs/tags/w1")
                        .code())
                .isZero();
        assertThatThrownBy(() -> push("origin", 1)).hasMessageContaining("nothing was pushed");
        assertThat(repositories.ref(target, "main")).isEmpty();
    }

    @Test
    void anEarlierHookIsCalledAndRestored() throws IOException {
        hook().uninstall();
        repositories.hook(target, "reference-transaction", "cat >> seen; echo $1 >> states; [ ! -e no ] || exit 1\n");
        String before = Files.readString(hook().file());
        assertThat(hook().install(null, List.of())).isPresent();
        hook().install(null, List.of("refs/heads/*"));
        push("origin", 1);
        assertThat(target.resolve("seen")).content().contains("refs/heads/main", FENCE);
        assertThat(target.resolve("states")).content().contains("prepared", "committed");
        Files.createFile(target.resolve("no"));
        repositories.commit(work, "second");
        assertThatThrownBy(() -> push("origin", 1)).hasMessageContaining("not landed yet");
        assertThat(hook().uninstall()).isTrue();

        assertThat(Files.readString(hook().file())).isEqualTo(before);
        assertThat(hook().status()).isEmpty();
        assertThat(hook().uninstall()).isFalse();
    }

    @Test
    void anUnsuitableRepositoryIsRefused() {
        assertThatThrownBy(() -> GitHook.of(directory, repositories.environment()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not a git repository");
        for (String pattern : List.of("main", "refs/heads/$(touch x)", "refs/heads/a b", "refs/heads/x)", "refs/'")) {
            assertThatThrownBy(() -> hook().install(null, List.of(pattern)))
                    .as(pattern)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        repositories.git(
                target, "config", "core.hooksPath", directory.resolve("shared").toString());
        assertThatThrownBy(() -> GitHook.of(target, repositories.environment()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("core.hooksPath", "nothing was changed");
    }

    @Test
    void theDoctorLeavesNothingBehind() {
        assertThat(examination().grade()).isEqualTo(Grade.ATOMIC);
        assertThat(examination().findings().toString()).contains("was refused as a whole");
        assertThat(repositories.git(target, "for-each-ref")).isEmpty();
        repositories.hook(target, "update", "case $1 in refs/heads/*) ;; *) exit 1;; esac\n");
        assertThat(examination().findings().toString()).contains("its fence is the branch");
        assertThat(examination().grade()).isEqualTo(Grade.ATOMIC);
        repositories.git(target, "config", "receive.advertiseAtomic", "false");
        assertThat(examination().grade()).isEqualTo(Grade.UNSAFE);
        assertThat(repositories.git(target, "for-each-ref")).isEmpty();
    }

    private dev.leasehold.doctor.Examination examination() {
        return new GitDoctor(work, repositories.environment(), "origin", step -> {}).examine();
    }
}
