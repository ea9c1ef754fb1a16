package dev.leasehold.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Admission;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreId;
import dev.leasehold.testkit.environment.Requires;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pushes that the server or a hook rejects, and pushes whose connection fails. */
@Requires("git")
class GitFenceTest extends WithRemote {
    static final String FENCE = "refs/leasehold/job";
    private static final String BRANCH = "refs/heads/leasehold/job";

    /** For a hook: moves the fence in the repository as a successor with token 9 would. */
    private static final String SUCCESSOR =
            """
            old=$(git rev-parse refs/leasehold/job)
            new=$(git cat-file commit $old | sed -e 1,/^$/d -e s/^raised=.*/raised=9/ -e /^attempt=/d |
                git commit-tree -p $old $(git mktree < /dev/null))
            git update-ref refs/leasehold/job $new
            """;

    private final List<String> notices = new ArrayList<>();
    private GitFence fence;

    @BeforeEach
    void openFence() {
        fence = client();
    }

    private GitFence client() {
        return GitFence.at(work, "origin").with(repositories.environment(), notices::add);
    }

    static Grant grant(long token) {
        return new Grant(
                LeaseName.of("job"),
                FencingToken.of(token),
                AttemptId.of("attempt-" + token),
                StoreId.of("store-0001"));
    }

    private Admission push(long token) {
        return fence.admit(grant(token), GitPush.of("main"));
    }

    private void assertMainIs(String commit) {
        assertThat(repositories.ref(target, "main")).isEqualTo(commit);
    }

    @Test
    void severalPushesUnderOneGrantAreAllInTheHistory() {
        fence.raise(grant(3));
        for (int i = 0; i < 3; i++) {
            String commit = repositories.commit(work, "edition " + i);
            assertThat(push(3)).isInstanceOf(Admission.Admitted.class);
            assertMainIs(commit);
        }
        assertThat(repositories.git(target, "log", "--format=%B", FENCE).lines().filter(l -> l.startsWith("step=")))
                .containsExactly("step=4", "step=3", "step=2", "step=1");
        repositories.requireSound(target);
    }

    @Test
    void aNonFastForwardBranchIsNotReportedAsStale() {
        String first = repositories.ref(work, "main");
        repositories.git(target, "fetch", "--quiet", work.toString(), "main:main");
        repositories.git(work, "commit", "--quiet", "--amend", "--message", "another history");
        fence.raise(grant(1));
        String before = repositories.ref(target, FENCE);
        Admission answer = push(1);

        assertThat(answer).isInstanceOf(Admission.Rejected.class);
        assertThat(((Admission.Rejected) answer).words()).contains("refs/heads/main", "non-fast-forward");
        assertMainIs(first);
        assertThat(repositories.ref(target, FENCE)).isEqualTo(before);
        assertThat(fence.admit(grant(1), GitPush.of("+main"))).isInstanceOf(Admission.Admitted.class);
        assertMainIs(repositories.ref(work, "main"));
    }

    @Test
    void aServerHookCanRejectThePush() {
        fence.raise(grant(1));
        repositories.hook(target, "update", "case $1 in refs/heads/*) echo on holiday >&2; exit 1;; esac\n");
        Admission answer = push(1);

        assertThat(answer).isInstanceOf(Admission.Rejected.class);
        assertThat(((Admission.Rejected) answer).words()).contains("hook declined", "on holiday");
        assertMainIs("");
    }

    @Test
    void aUserHookCanRejectThePushAndRunsOnce() {
        repositories.hook(
                work.resolve(".git"),
                "pre-push",
                "echo ran >> " + directory + "/ran; cat >> " + directory + "/pushed; [ ! -e " + directory
                        + "/no ] || { echo not today >&2; exit 1; }\n");
        assertThat(push(1)).isInstanceOf(Admission.Admitted.class);
        assertThat(directory.resolve("ran")).hasContent("ran");
        assertThat(directory.resolve("pushed")).content().contains("refs/heads/main");
        Repositories.write(directory.resolve("no"), "");
        String landed = repositories.ref(work, "main");
        repositories.commit(work, "second");
        Admission answer = push(1);

        assertThat(answer).isInstanceOf(Admission.Rejected.class);
        assertThat(((Admission.Rejected) answer).words()).contains("not today");
        assertMainIs(landed);
    }

    @Test
    void aRemoteWithoutAtomicPushesIsRefused() {
        repositories.git(target, "config", "receive.advertiseAtomic", "false");

        assertThatThrownBy(() -> push(1))
                .isInstanceOf(TargetUnavailableException.class)
                .hasMessageContaining("--atomic")
                .hasMessageContaining("nothing was pushed");
        repositories.git(target, "config", "receive.advertiseAtomic", "true");
        push(1);
        String landed = repositories.ref(target, "main");
        repositories.git(target, "config", "receive.advertiseAtomic", "false");
        repositories.commit(work, "second");
        assertThatThrownBy(() -> push(1)).isInstanceOf(TargetUnavailableException.class);
        assertMainIs(landed);
    }

    @Test
    void aHostThatAcceptsOnlyBranchesGetsAFenceBranchAndOneNotice() {
        repositories.hook(target, "update", "case $1 in refs/heads/*) ;; *) echo branches only >&2; exit 1;; esac\n");
        push(2);
        repositories.commit(work, "second");
        push(2);
        assertThat(fence.raise(grant(3))).isInstanceOf(Admission.Admitted.class);
        fence = client();

        assertThat(push(2)).isInstanceOf(Admission.Stale.class);
        assertThat(notices.stream().filter(notice -> notice.contains("its fence is the branch leasehold/job")))
                .hasSize(1);
        assertThat(repositories.ref(target, FENCE)).isEmpty();
        assertThat(repositories.ref(target, BRANCH)).isNotEmpty();
        assertThat(repositories.git(work, "for-each-ref", "--format=%(refname)"))
                .isEqualTo("refs/heads/main");
    }

    @Test
    void hiddenRefsCountAsRefused() {
        repositories.git(target, "config", "transfer.hideRefs", "refs/leasehold");

        assertThat(push(2)).isInstanceOf(Admission.Admitted.class);
        assertThat(repositories.ref(target, BRANCH)).isNotEmpty();
    }

    @Test
    void anExistingFenceIsNeverMovedToTheOtherRef() {
        push(1);
        repositories.hook(target, "update", "case $1 in refs/heads/*) ;; *) exit 1;; esac\n");
        String landed = repositories.ref(target, "main");
        repositories.commit(work, "second");

        assertThat(push(2)).isInstanceOf(Admission.Rejected.class);
        assertMainIs(landed);
        assertThat(repositories.ref(target, BRANCH)).isEmpty();
    }

    @Test
    void twoFencesForOneLeaseAreAnError() {
        push(1);
        repositories.git(target, "update-ref", BRANCH, FENCE);
        repositories.commit(work, "second");

        for (GitFence one : List.of(fence, client())) {
            assertThatThrownBy(() -> one.admit(grant(2), GitPush.of("main")))
                    .isInstanceOf(TargetUnavailableException.class)
                    .hasMessageContainingAll(FENCE, BRANCH, "nothing was pushed");
        }
    }

    @Test
    void aRefThatIsNotAFenceIsNotOverwritten() {
        repositories.git(work, "push", "--quiet", "origin", "main:" + FENCE);

        assertThatThrownBy(() -> push(1))
                .isInstanceOf(TargetUnavailableException.class)
                .hasMessageContainingAll(FENCE, "nothing was pushed");
    }

    /** The server moves the refs and dies before it answers. */
    @Test
    void aPushWhoseAnswerWasLostIsFoundInTheHistory() {
        push(1);
        String second = repositories.commit(work, "second");
        repositories.hook(target, "reference-transaction", "[ $1 != committed ] || kill -KILL $PPID\n");

        assertThat(push(1)).isInstanceOf(Admission.Admitted.class);
        assertMainIs(second);
    }

    @Test
    void aPushWhoseAnswerWasLostIsFoundEvenUnderASuccessor() {
        push(1);
        fence = client();
        String second = repositories.commit(work, "second");
        repositories.hook(
                target,
                "reference-transaction",
                "[ $1 = committed ] && [ ! -e lost ] || exit 0\n: > lost\n" + SUCCESSOR + "kill -KILL $PPID\n");

        assertThat(push(1)).isInstanceOf(Admission.Admitted.class);
        assertMainIs(second);
        repositories.commit(work, "third");
        assertThat(push(1)).isEqualTo(new Admission.Stale(grant(1), FencingToken.of(9)));
        assertMainIs(second);
    }

    /**
     * The server dies before it moves anything. The client cannot know that, so it moves the fence
     * to make sure.
     */
    @Test
    void aPushWithoutAnAnswerThatDidNotLandCannotLandLater() {
        push(1);
        String first = repositories.ref(target, "main");
        String fenceBefore = repositories.ref(target, FENCE);
        repositories.commit(work, "second");
        repositories.hook(
                target, "reference-transaction", "[ $1 = prepared ] && [ ! -e lost ] || exit 0\n: > lost\nexit 1\n");

        assertThatThrownBy(() -> push(1))
                .isInstanceOf(TargetUnavailableException.class)
                .hasMessageContaining("nothing was pushed");
        assertMainIs(first);
        assertThat(repositories.git(target, "rev-parse", FENCE + "^"))
                .as("the fence moved, so the lost push no longer matches")
                .isEqualTo(fenceBefore);
        assertThat(push(1)).isInstanceOf(Admission.Admitted.class);
    }

    @Test
    void ifTheRemoteCannotBeReadTheOutcomeIsUnknown() {
        push(1);
        repositories.commit(work, "second");
        repositories.hook(
                target,
                "reference-transaction",
                "[ $1 = committed ] || exit 0\nmv " + target + " " + target + ".gone\nkill -KILL $PPID\n");

        assertThatThrownBy(() -> push(1))
                .isInstanceOf(TargetUnavailableException.class)
                .hasMessageContaining("whether it landed is unknown");
        assertThatThrownBy(() -> push(1))
                .isInstanceOf(TargetUnavailableException.class)
                .hasMessageContaining("cannot be read");
    }

    @Test
    void aLongHistoryIsNotFetchedEveryTime() {
        fence.raise(grant(1));
        for (int i = 0; i < 8; i++) {
            repositories.run(target, List.of("sh", "-c", SUCCESSOR.replace("raised=9", "raised=" + (i + 2))));
        }
        repositories.env("GIT_TRACE2_EVENT", directory.resolve("trace").toString());

        assertThat(client().raise(grant(20))).isInstanceOf(Admission.Admitted.class);
        assertThat(directory.resolve("trace")).content().contains("--depth=1");
        repositories.environment().remove("GIT_TRACE2_EVENT");
        assertThat(repositories.git(target, "rev-list", "--count", FENCE)).isEqualTo("10");
        repositories.requireSound(target);
    }
}
