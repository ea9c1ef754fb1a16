package dev.leasehold.fence;

import static dev.leasehold.fence.FencedFileKillTest.grant;
import static dev.leasehold.fence.FencedFileKillTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.crash.CrashScenario;
import dev.leasehold.crash.KillAtEveryCall;
import dev.leasehold.model.Admission;
import dev.leasehold.testkit.environment.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A publisher that dies between any two system calls leaves the old tree or the new one, whole, and
 * a fence that matches it.
 */
@Requires("strace")
class FencedDirectoryKillTest {
    @TempDir
    Path root;

    @Test
    void killedWhileATreeIsPublishedOverAnother() throws Exception {
        int points = new KillAtEveryCall(root, new Publishing()).run();
        assertThat(points).as("points at which a publisher was killed").isGreaterThanOrEqualTo(12);
    }

    private static final class Publishing implements CrashScenario {
        @Override
        public void prepare(Path directory) throws IOException {
            Path old = Files.createDirectories(directory.resolve("old"));
            Files.writeString(old.resolve("page"), "old page");
            Path tree = Files.createDirectories(directory.resolve("new"));
            Files.writeString(tree.resolve("page"), "new page");
            Files.writeString(Files.createDirectory(tree.resolve("sub")).resolve("more"), "more");
            Files.createSymbolicLink(tree.resolve("link"), Path.of("sub/more"));
            assertThat(site(directory).admitOnce(grant(3), old)).isInstanceOf(Admission.Admitted.class);
        }

        @Override
        public String script(Path directory) {
            return "publish " + directory.resolve("site") + " " + text(4) + " " + directory.resolve("new");
        }

        @Override
        public void check(Path directory, List<String> answers, String point) throws IOException {
            Path site = directory.resolve("site");
            Map<String, String> oldTree = tree(directory.resolve("old"));
            Map<String, String> newTree = tree(directory.resolve("new"));
            boolean acknowledged = answers.contains("Admitted[token=4]");
            Map<String, String> found = tree(site);
            assertThat(found).as("tree, %s", point).isIn(oldTree, newTree);
            FencedDirectory fence = site(directory);
            long raised = fence.state().orElseThrow().raised().value();
            Map<String, String> recovered = tree(site);
            if (acknowledged || found.equals(newTree) || raised == 4) {
                assertThat(recovered).as("decided or acknowledged, %s", point).isEqualTo(newTree);
                assertThat(fence.admit(grant(3), directory.resolve("old")))
                        .as("zombie, %s", point)
                        .isInstanceOf(Admission.Stale.class);
            }
            Admission again = fence.admitOnce(grant(4), directory.resolve("new"));
            assertThat(again)
                    .as("retry, %s", point)
                    .isInstanceOf(
                            recovered.equals(newTree) ? Admission.AlreadyWritten.class : Admission.Admitted.class);
            assertThat(tree(site)).as("after the retry, %s", point).isEqualTo(newTree);
            assertThat(fence.keeping(1).admit(grant(5), directory.resolve("old")))
                    .as("successor, %s", point)
                    .isInstanceOf(Admission.Admitted.class);
            assertThat(tree(site)).as("successor, %s", point).isEqualTo(oldTree);
            try (Stream<Path> left = Files.list(directory.resolve(".site.leasehold"))) {
                assertThat(left.map(path -> path.getFileName().toString().substring(0, 2)))
                        .as("the published version, one earlier version and leftovers of one crash, %s", point)
                        .filteredOn(name -> !name.equals("s-"))
                        .hasSizeBetween(1, 2)
                        .containsOnly("v-");
            }
        }

        private static FencedDirectory site(Path directory) {
            return FencedDirectory.at(directory.resolve("site"))
                    .waitingAtMost(Duration.ofMillis(500))
                    .keeping(0);
        }
    }

    /** The paths of a tree with their content. */
    static Map<String, String> tree(Path root) throws IOException {
        Path real = root.toRealPath();
        Map<String, String> found = new TreeMap<>();
        try (Stream<Path> all = Files.walk(real)) {
            for (Path path : all.toList()) {
                String what = Files.isSymbolicLink(path)
                        ? "link " + Files.readSymbolicLink(path)
                        : Files.isDirectory(path) ? "directory" : Files.readString(path);
                found.put(real.relativize(path).toString(), what);
            }
        }
        return found;
    }
}
