package dev.leasehold.git;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Fence;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.testkit.FenceContract;
import dev.leasehold.testkit.environment.Requires;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A branch as a target. A write pushes a commit with one file over the current content. */
@Requires("git")
class GitFenceContractTest extends FenceContract<GitPush> {
    @TempDir
    Path directory;

    private Repositories repositories;
    private Path target;
    private Path work;

    @BeforeEach
    @Override
    protected void openFirstClient() {
        repositories = new Repositories(directory);
        target = repositories.bare("target.git");
        work = repositories.working("work", target);
        super.openFirstClient();
    }

    @Override
    protected Fence<GitPush> openFence() {
        return GitFence.at(work, "origin").with(repositories.environment(), notice -> {});
    }

    @Override
    protected GitPush write(String content) {
        Path file = directory.resolve("content-" + Thread.currentThread().getId());
        Repositories.write(file, content);
        String blob = repositories.git(work, "hash-object", "-w", "--no-filters", file.toString());
        String tree = repositories
                .run(work, List.of("sh", "-c", "printf '100644 blob %s\\tpage\\n' " + blob + " | git mktree"))
                .out()
                .strip();
        return GitPush.of("+" + repositories.git(work, "commit-tree", "-m", "page", tree) + ":refs/heads/page");
    }

    @Override
    protected Optional<String> read() {
        Repositories.Outcome page = repositories.tryGit(target, "cat-file", "blob", "refs/heads/page:page");
        return page.code() == 0 ? Optional.of(page.out()) : Optional.empty();
    }

    @Override
    protected int writesOfEachRacer() {
        return 4;
    }

    /** In a repository each lease has its own fence, so two leases may guard two branches. */
    @Override
    @Test
    protected void anotherLeaseNameIsAUsageErrorThatNamesTheLease() {
        assertAdmitted(fence.admit(grant(5), write("guarded")), 5);
        Grant other = new Grant(LeaseName.of("other"), FencingToken.of(1), AttemptId.of("attempt-of-1"), STORE);
        assertAdmitted(fence.raise(other), 1);
        assertStale(fence.admit(grant(4), write("late")), 5);
        assertThat(repositories.git(target, "for-each-ref", "--format=%(refname)", "refs/leasehold"))
                .isEqualTo("refs/leasehold/nightly%2freport\nrefs/leasehold/other");
    }
}
