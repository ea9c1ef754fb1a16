package dev.leasehold.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.testkit.environment.Requires;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which refspecs a fenced push accepts, and how they are resolved. */
@Requires("git")
class GitPushTest {
    @TempDir
    Path directory;

    private Repositories repositories;
    private Path work;

    /** Only for tests that need a repository. */
    private void prepare() {
        repositories = new Repositories(directory);
        work = repositories.working("work", directory.resolve("nowhere"));
        repositories.git(work, "tag", "v1");
        repositories.git(work, "branch", "leasehold/mine");
    }

    private ResolvedPush resolve(boolean pinned, String... refspecs) {
        return ResolvedPush.of(new Git(work, repositories.environment(), directory), GitPush.of(refspecs), pinned);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                "+:",
                "+",
                ":main",
                "+:main",
                "main:",
                "a:b:c",
                "refs/heads/*:refs/heads/*",
                "*",
                "^main",
                "--mirror",
                "--receive-pack=evil",
                "-f",
                "+-f",
                "a b",
                "a\nb",
                "a\u0000b",
                "main:refs/leasehold/x",
                "main:refs/Leasehold/x",
                "main:refs/leasehold",
                "main:refs/heads/leasehold/x",
                "main:heads/leasehold/x",
                "main:leasehold/x",
                "main:leasehold",
                "refs/leasehold/x",
                "refs/heads/leasehold/mine",
                "heads/leasehold/mine"
            })
    void aRefspecThatCouldBypassTheFenceIsRefused(String refspec) {
        assertThatThrownBy(() -> GitPush.of(refspec))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nothing was pushed");
    }

    @Test
    void aShortNameOfAFenceIsRefused() {
        prepare();
        repositories.git(work, "checkout", "--quiet", "leasehold/mine");

        assertThatThrownBy(() -> resolve(false, "HEAD")).hasMessageContaining("Nothing was pushed");
        assertThatThrownBy(() -> resolve(false, "leasehold/mine")).hasMessageContaining("Nothing was pushed");
        assertThat(resolve(false, "leasehold/mine:refs/heads/other").refspecs())
                .containsExactly("leasehold/mine:refs/heads/other");
    }

    @Test
    void namesAreCompletedOnBothSides() {
        prepare();
        assertThat(resolve(false, "main", "+HEAD", "@", "v1", "main:prod", "v1:tags/v2", "v1:v3", "HEAD~0:refs/x/y")
                        .refspecs())
                .containsExactly(
                        "refs/heads/main:refs/heads/main",
                        "+refs/heads/main:refs/heads/main",
                        "refs/heads/main:refs/heads/main",
                        "refs/tags/v1:refs/tags/v1",
                        "refs/heads/main:refs/heads/prod",
                        "v1:refs/tags/v2",
                        "refs/tags/v1:refs/tags/v3",
                        "HEAD~0:refs/x/y");
    }

    @Test
    void aPushOnceIsPinnedToItsObjects() {
        prepare();
        String id = repositories.ref(work, "main");

        assertThat(resolve(true, "main").refspecs()).containsExactly(id + ":refs/heads/main");
        assertThat(resolve(true, "main").digest())
                .isEqualTo(resolve(true, "HEAD").digest());
        assertThat(resolve(true, "main").digest())
                .isNotEqualTo(resolve(true, "main:prod").digest());
        repositories.commit(work, "second");
        assertThat(resolve(true, id + ":refs/heads/main").digest())
                .isNotEqualTo(resolve(true, "main").digest());
    }

    @Test
    void anUnknownSourceIsNamed() {
        prepare();
        for (String refspec : List.of("nosuch", "nosuch:main", "nosuch:refs/heads/x")) {
            assertThatThrownBy(() -> resolve(false, "main", refspec))
                    .as(refspec)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("'nosuch' is not a branch, tag or commit here")
                    .hasMessageEndingWith("Nothing was pushed");
        }
    }

    @Test
    void anAmbiguousSourceIsRefused() {
        prepare();
        repositories.git(work, "tag", "main");
        repositories.git(work, "checkout", "--quiet", "--detach");
        for (String refspec : List.of("HEAD", "HEAD~0", "nosuch", "nosuch:refs/heads/x", "page", "main", "HEAD~0:x")) {
            assertThatThrownBy(() -> resolve(false, refspec))
                    .as(refspec)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("othing was pushed");
        }
    }
}
