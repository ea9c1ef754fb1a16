package dev.leasehold.cli.jobs;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a file counts as changed. */
class ChangedFileTest {
    @TempDir
    Path folder;

    @Test
    void aFileThatIsBeingWrittenHasNotChangedYet() throws Exception {
        Path path = Files.writeString(folder.resolve("jobs.yaml"), "a");
        ChangedFile file = new ChangedFile(path);
        assertThat(file.hasSettled()).as("as it was").isFalse();

        Files.writeString(path, "a, b");
        assertThat(file.hasSettled()).as("the first half").isFalse();
        Files.writeString(path, "a, b, c");
        assertThat(file.hasSettled()).as("the second half").isFalse();
        assertThat(file.hasSettled()).as("unchanged since the last check").isTrue();
        assertThat(file.hasSettled()).as("already reported").isFalse();
    }

    @Test
    void aFileThatIsBrieflyMissingHasNotChanged() throws Exception {
        Path path = Files.writeString(folder.resolve("jobs.yaml"), "a");
        Path aside = folder.resolve("aside");
        ChangedFile file = new ChangedFile(path);

        Files.move(path, aside);
        assertThat(file.hasSettled()).isFalse();
        Files.move(aside, path, REPLACE_EXISTING);
        assertThat(file.hasSettled()).isFalse();
        assertThat(file.hasSettled()).isFalse();

        Files.delete(path);
        assertThat(file.hasSettled()).isFalse();
        assertThat(file.hasSettled()).as("gone for good").isTrue();
    }
}
