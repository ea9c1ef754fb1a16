package dev.leasehold.cli.child;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.child.CommandLookup.Found;
import dev.leasehold.cli.child.CommandLookup.NotExecutable;
import dev.leasehold.cli.child.CommandLookup.NotFound;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandLookupTest {
    @TempDir
    Path folder;

    private Path file(String name, String mode) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "echo hello\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    @Test
    void nameIsFoundAlongThePath() throws IOException {
        Path tool = file("b/tool", "rwx------");
        assertThat(CommandLookup.resolve("tool", folder + "/a:" + folder + "/b"))
                .isEqualTo(new Found(tool));
    }

    @Test
    void fileThatIsNotExecutableDoesNotHideALaterOne() throws IOException {
        file("a/tool", "rw-------");
        Path tool = file("b/tool", "rwx------");
        assertThat(CommandLookup.resolve("tool", folder + "/a:" + folder + "/b"))
                .isEqualTo(new Found(tool));
    }

    @Test
    void fileThatIsNotExecutableIsNotReportedAsMissing() throws IOException {
        Path tool = file("a/tool", "rw-------");
        assertThat(CommandLookup.resolve("tool", folder + "/a:" + folder + "/b"))
                .isEqualTo(new NotExecutable(tool));
        assertThat(CommandLookup.resolve(tool.toString(), "/bin")).isEqualTo(new NotExecutable(tool));
        assertThat(CommandLookup.resolve("no-such-tool", folder + "/a")).isEqualTo(new NotFound("no-such-tool"));
        assertThat(CommandLookup.resolve(folder + "/nothing", "/bin")).isEqualTo(new NotFound(folder + "/nothing"));
    }

    @Test
    void directoryCannotBeExecuted() throws IOException {
        Path directory = Files.createDirectory(folder.resolve("tool"));
        assertThat(CommandLookup.resolve(directory.toString(), "/bin")).isEqualTo(new NotExecutable(directory));
        assertThat(CommandLookup.resolve("tool", folder.toString())).isEqualTo(new NotExecutable(directory));
    }

    @Test
    void nameWithASlashIsNotSearched() throws IOException {
        file("a/tool", "rwx------");
        assertThat(CommandLookup.resolve("a/tool", folder.toString())).isEqualTo(new NotFound("a/tool"));
    }

    @Test
    void withoutAPathTheDefaultOfTheSystemIsSearched() {
        assertThat(CommandLookup.resolve("sh", null)).isInstanceOf(Found.class);
        assertThat(CommandLookup.resolve("sh", "")).isEqualTo(new NotFound("sh"));
    }

    @Test
    void emptyNameIsNotFound() {
        assertThat(CommandLookup.resolve("", "/bin")).isEqualTo(new NotFound(""));
    }
}
