package dev.leasehold.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.disk.FileNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The names that are kept belong to one prefix, and questions about others get their own answers. */
class SortedDirectoryTest {
    private static final String LONG = "b/" + "x".repeat(190);

    @TempDir
    Path directory;

    private SortedDirectory names;

    @BeforeEach
    void fill() throws IOException {
        for (String name : new String[] {"b/2", "a/1", "b/1", "c"}) {
            Files.createDirectory(directory.resolve(FileNames.encode(name)));
        }
        // Its file name is cut, so the name is read from the file.
        Files.writeString(directory.resolve(FileNames.encode(LONG)), LONG);
        names = new SortedDirectory(directory, file -> Optional.of(Files.readString(file)));
    }

    /** As if nobody had changed the directory for a while, so that its names are kept. */
    private void settle(Duration since) throws IOException {
        Files.setLastModifiedTime(directory, FileTime.from(Instant.now().minus(since)));
    }

    @Test
    void eachPrefixGetsItsOwnNames() throws IOException {
        settle(Duration.ofMinutes(1));
        assertThat(names.names("b/", "")).containsExactly("b/1", "b/2", LONG);
        assertThat(names.names("b/1", "")).containsExactly("b/1");
        assertThat(names.names("a", "")).containsExactly("a/1");
        assertThat(names.names("", "")).containsExactly("a/1", "b/1", "b/2", LONG, "c");
        assertThat(names.names("b/", "b/1")).containsExactly("b/2", LONG);
    }

    @Test
    void namesThatAreKeptDoNotOutliveAChange() throws IOException {
        settle(Duration.ofMinutes(2));
        assertThat(names.names("a/", "")).containsExactly("a/1");
        Files.createDirectory(directory.resolve(FileNames.encode("a/2")));
        settle(Duration.ofMinutes(1));
        assertThat(names.names("a/", "")).containsExactly("a/1", "a/2");
        assertThat(names.names("c", "")).containsExactly("c");
    }
}
