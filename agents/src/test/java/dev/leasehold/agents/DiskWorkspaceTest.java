package dev.leasehold.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.LeaseName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskWorkspaceTest {
    @TempDir
    Path directory;

    private Path root;
    private DiskWorkspace files;

    @BeforeEach
    void start() throws IOException {
        root = Files.createDirectories(directory.resolve("repo")).toRealPath();
        Files.createDirectories(root.resolve(".git"));
        Files.createDirectories(root.resolve("src"));
        Files.writeString(root.resolve("src/a.txt"), "x");
        files = new DiskWorkspace(directory.resolve("state"));
    }

    private LeaseName name(String path) throws Refusal {
        return files.locate(root.toString(), path).name();
    }

    @Test
    void everyWayToWriteAPathGivesOneLease() throws Exception {
        Files.createSymbolicLink(root.resolve("link"), root.resolve("src"));
        Files.createSymbolicLink(root.resolve("file-link"), Path.of("src/a.txt"));
        Files.createSymbolicLink(directory.resolve("outside"), root);

        assertThat(List.of(
                        name("src/a.txt"),
                        name("./src/../src/a.txt"),
                        name("link/a.txt"),
                        name("link/../src/a.txt"),
                        name("file-link"),
                        name(root.resolve("src/a.txt").toString()),
                        name(directory.resolve("outside/src/a.txt").toString())))
                .containsOnly(name("src/a.txt"));
        assertThat(name("src/a.txt").value()).matches("agent-edit/[0-9a-f]{12}/src/a\\.txt");
    }

    @Test
    void aFileThatDoesNotExistHasTheNameThatItWillHave() throws Exception {
        Files.createSymbolicLink(root.resolve("dangling"), root.resolve("src/new.txt"));
        Files.createSymbolicLink(root.resolve("link"), root.resolve("src"));
        LeaseName before = name("link/new.txt");

        assertThat(name("dangling")).isEqualTo(before);
        Files.writeString(root.resolve("src/new.txt"), "");
        assertThat(name("src/new.txt")).isEqualTo(before);
    }

    @Test
    void anyPathHasAName() throws Exception {
        Set<LeaseName> names = new HashSet<>();
        List<String> paths = List.of(
                "with blank",
                "with_blank",
                "with%20blank",
                "ümläut",
                "umlaut",
                "a[1]{2}*.txt",
                "new\nline",
                "at@sign",
                "\u4e2d\u6587/\ud83d\ude00",
                "-rf",
                "x".repeat(200) + "a",
                "x".repeat(200) + "b",
                ("d".repeat(99) + "/").repeat(39) + "deep",
                ("d".repeat(99) + "/").repeat(39) + "Deep");
        for (String path : paths) {
            names.add(FilePlace.of("/root", path).name());
        }
        assertThat(names).hasSize(paths.size());
        assertThat(FilePlace.of("/root", "a").name())
                .isNotEqualTo(FilePlace.of("/other", "a").name());
    }

    @Test
    void whatCannotBeGuardedIsRefused() throws Exception {
        Files.createSymbolicLink(root.resolve("loop"), root.resolve("loop"));
        Files.createLink(root.resolve("hard"), root.resolve("src/a.txt"));
        Files.createDirectories(root.resolve("folder"));

        for (String path : List.of("", "~/a", "src/a.txt/b", "loop", "nul\0", "no/../../x", "bad\ufffd")) {
            assertThatThrownBy(() -> files.locate(root.toString(), path))
                    .as(path)
                    .isInstanceOf(Refusal.class);
        }
        assertThatThrownBy(() -> files.locate("relative", "a")).isInstanceOf(Refusal.class);
        assertThatThrownBy(() -> files.content(files.locate(root.toString(), "hard")))
                .hasMessageContaining("2 hard links");
        assertThatThrownBy(() -> files.content(files.locate(root.toString(), "folder")))
                .hasMessageContaining("is a directory");
        assertThatThrownBy(() -> files.content(files.locate("/", "/dev/zero")))
                .hasMessageContaining("not a regular file");
    }

    @Test
    void theLastVersionIsThatOfTheHighestToken() throws Exception {
        FilePlace place = files.locate(root.toString(), "src/a.txt");
        java.time.Instant at = java.time.Instant.EPOCH;
        files.keep(place, new Workspace.Version("store", 4, "four", "b", at), new byte[] {4});
        files.keep(place, new Workspace.Version("store", 3, "three", "a", at), new byte[] {3});

        Workspace.Version last = files.last(place);
        assertThat(last).isEqualTo(new Workspace.Version("store", 4, "four", "b", at));
        assertThat(Path.of(files.copy(last))).hasBinaryContent(new byte[] {4});
        files.keep(place, new Workspace.Version("another", 1, "one", "c", at), new byte[] {1});
        assertThat(files.last(place)).as("tokens of another store").hasFieldOrPropertyWithValue("hash", "one");
        files.forget(place);
        assertThat(files.last(place)).isNull();
    }

    @Test
    void aVersionThatIsTooLargeForACopyHidesTheOneBeforeIt() throws Exception {
        FilePlace place = files.locate(root.toString(), "src/a.txt");
        java.time.Instant at = java.time.Instant.EPOCH;
        files.keep(place, new Workspace.Version("store", 1, "small", "a", at), new byte[1]);
        files.keep(place, new Workspace.Version("store", 2, "large", "a", at), new byte[5 * 1024 * 1024]);

        assertThat(files.last(place).hash()).isEqualTo("large");
        assertThat(files.copy(files.last(place))).isNull();
    }
}
