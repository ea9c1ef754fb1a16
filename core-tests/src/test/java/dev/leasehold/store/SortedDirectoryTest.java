package dev.leasehold.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.internal.SortedNames;
import dev.leasehold.internal.disk.FileNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The names that are kept belong to one prefix, and questions about others get their own answers. */
class SortedDirectoryTest {
    private static final String LONG = "b/" + "x".repeat(190);

    @TempDir
    Path directory;

    private SortedDirectory names;

    private final AtomicLong nanos = new AtomicLong();
    private final Deque<Answer> answers = new ArrayDeque<>();

    @BeforeEach
    void fill() throws IOException {
        for (String name : new String[] {"b/2", "a/1", "b/1", "c"}) {
            Files.createDirectory(directory.resolve(FileNames.encode(name)));
        }
        // Its file name is cut, so the name is read from the file.
        Files.writeString(directory.resolve(FileNames.encode(LONG)), LONG);
        names = new SortedDirectory(directory, this::read, nanos::get);
    }

    private interface Answer {
        Optional<String> read() throws IOException;
    }

    private Optional<String> read(Path file) throws IOException {
        return answers.isEmpty()
                ? Optional.of(Files.readString(file))
                : answers.remove().read();
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

    @Test
    void failedReadDoesNotMakeLaterListsIncomplete() throws IOException {
        settle(Duration.ofMinutes(1));
        // As if it had no name yet, so that its file is read again.
        answers.add(Optional::empty);
        answers.add(() -> {
            throw new IOException("the disk failed");
        });
        assertThat(names.names("a/", "")).containsExactly("a/1");
        assertThatThrownBy(() -> names.names("b/", "")).hasMessage("the disk failed");
        assertThat(names.names("b/", "")).containsExactly("b/1", "b/2", LONG);
    }

    /** While names are created, a list must not read the whole directory for each of its pages. */
    @Test
    void pagesOfOneListUseTheNamesOfItsFirstPage() throws IOException {
        assertThat(names.names("b/", "")).containsExactly("b/1", "b/2", LONG);
        Files.createDirectory(directory.resolve(FileNames.encode("b/15")));
        assertThat(names.names("b/", "b/1")).containsExactly("b/2", LONG);
        nanos.addAndGet(SortedNames.ONE_LIST.toNanos());
        assertThat(names.names("b/", "b/1")).containsExactly("b/15", "b/2", LONG);
        Files.createDirectory(directory.resolve(FileNames.encode("b/16")));
        assertThat(names.names("b/", "")).containsExactly("b/1", "b/15", "b/16", "b/2", LONG);
    }
}
