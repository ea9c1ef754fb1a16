package dev.leasehold.git;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.LeaseName;
import dev.leasehold.testkit.environment.Requires;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every lease name becomes a ref that git accepts, that conflicts with no other ref, and that
 * decodes to the name.
 */
class FenceRefTest {
    private static final String ALPHABET = "abzABZ019._:/@-";
    private static final List<String> HARD = List.of(
            "a",
            "A",
            "a/b",
            "a//b",
            "/",
            "/a",
            "a/",
            ".",
            "..",
            "a..b",
            "a.lock",
            "a.lock/b",
            ".a",
            "a.",
            "@",
            "a@b",
            "host:job",
            "-",
            "--force",
            "HEAD",
            "a/fence",
            "x".repeat(200),
            "/".repeat(200),
            "X".repeat(199),
            "x".repeat(199) + "/");

    @Test
    void plainNamesStayAsTheyAre() {
        FenceRef refs = FenceRef.of(LeaseName.of("daily-publish_2"));

        assertThat(refs.primary()).isEqualTo("refs/leasehold/daily-publish_2");
        assertThat(refs.fallback()).isEqualTo("refs/heads/leasehold/daily-publish_2");
    }

    @Test
    void everyRefDecodesToItsName() {
        for (String name : manyNames()) {
            FenceRef refs = FenceRef.of(LeaseName.of(name));
            assertThat(FenceRef.nameOf(refs.primary()).value()).isEqualTo(name);
            assertThat(FenceRef.nameOf(refs.fallback()).value()).isEqualTo(name);
            assertThat(FenceRef.isFence(refs.primary())).isTrue();
            assertThat(FenceRef.isFence(refs.fallback())).isTrue();
        }
    }

    /** Compared without case, because some servers have case-insensitive file systems. */
    @Test
    void noTwoNamesShareARefAndNoRefIsADirectoryOfAnother() {
        Set<String> refs = new HashSet<>();
        for (String name : manyNames()) {
            assertThat(refs.add(FenceRef.of(LeaseName.of(name)).primary().toLowerCase(java.util.Locale.ROOT)))
                    .as(name)
                    .isTrue();
        }
        for (String ref : refs) {
            for (int slash = ref.lastIndexOf('/'); slash > 14; slash = ref.lastIndexOf('/', slash - 1)) {
                assertThat(refs).doesNotContain(ref.substring(0, slash));
            }
            for (String component : ref.split("/", -1)) {
                assertThat(component.length()).isLessThan(250);
            }
        }
    }

    @Test
    @Requires("git")
    void gitAcceptsAllRefsAtOnce(@TempDir Path directory) {
        Repositories repositories = new Repositories(directory);
        Path bare = repositories.bare("r.git");
        String commit = repositories.git(bare, "commit-tree", "-m", "x", repositories.git(bare, "mktree"));
        StringBuilder commands = new StringBuilder();
        for (String name : HARD) {
            FenceRef refs = FenceRef.of(LeaseName.of(name));
            commands.append("create ")
                    .append(refs.primary())
                    .append(' ')
                    .append(commit)
                    .append('\n');
            commands.append("create ")
                    .append(refs.fallback())
                    .append(' ')
                    .append(commit)
                    .append('\n');
        }
        Repositories.write(directory.resolve("commands"), commands.toString());
        repositories.run(bare, List.of("sh", "-c", "git update-ref --stdin < ../commands"));

        assertThat(repositories.git(bare, "for-each-ref").lines()).hasSize(HARD.size() * 2);
    }

    @Test
    void everyRefThatAServerCouldTakeForAFenceCountsAsOne() {
        for (String ref :
                List.of("refs/leasehold", "refs/Leasehold/x", "refs/heads/leasehold", "refs/heads/LEASEHOLD/x")) {
            assertThat(FenceRef.isFence(ref)).as(ref).isTrue();
        }
        for (String ref :
                List.of("refs/heads/main", "refs/heads/leaseholder", "refs/tags/leasehold/x", "leasehold/x")) {
            assertThat(FenceRef.isFence(ref)).as(ref).isFalse();
        }
    }

    private static List<String> manyNames() {
        List<String> names = new ArrayList<>(HARD);
        Random random = new Random(7);
        for (int i = 0; i < 2000; i++) {
            char[] name = new char[1 + random.nextInt(i % 20 == 0 ? 200 : 6)];
            for (int j = 0; j < name.length; j++) {
                name[j] = ALPHABET.charAt(random.nextInt(ALPHABET.length()));
            }
            names.add(new String(name));
        }
        return Arrays.asList(new HashSet<>(names).toArray(String[]::new));
    }
}
