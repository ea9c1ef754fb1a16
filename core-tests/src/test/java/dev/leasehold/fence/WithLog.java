package dev.leasehold.fence;

import static dev.leasehold.fence.FencedFileKillTest.grant;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Admission;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A fenced log in an empty directory; a new one for each test. */
abstract class WithLog {
    @TempDir
    Path root;

    Path path;
    FencedLog log;

    @BeforeEach
    void place() {
        path = root.resolve("log");
        log = FencedLog.at(path);
    }

    void append(String record) {
        assertThat(log.admit(grant(1), Content.of(record))).isInstanceOf(Admission.Admitted.class);
    }

    static void truncate(Path file, long size) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(size);
        }
    }
}
