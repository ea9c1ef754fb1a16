package dev.leasehold.testkit.nemesis;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;

/**
 * The wall clock of one process, which can be moved while it runs, by libfaketime. Only the wall clock: the monotonic one and
 * the times that the file system stamps are not the process's to decide.
 */
final class WallClock {
    private static final Path LIBRARIES = Path.of("/usr/lib");
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private final Path offset;

    WallClock(Path offset) throws IOException {
        this.offset = offset;
        jump(0);
    }

    /** Moves the clock to so many seconds from the real time. */
    void jump(long seconds) throws IOException {
        // Read at every look at the clock, so it must never be seen half-written.
        Path next = offset.resolveSibling(offset.getFileName() + ".next");
        Files.writeString(next, (seconds < 0 ? "" : "+") + seconds + "s\n");
        Files.move(next, offset, StandardCopyOption.ATOMIC_MOVE);
    }

    void giveTo(Map<String, String> environment) throws IOException {
        environment.put("LD_PRELOAD", library().toString());
        environment.put("FAKETIME_TIMESTAMP_FILE", offset.toString());
        environment.put("FAKETIME_NO_CACHE", "1");
        environment.put("NO_FAKE_STAT", "1");
        environment.put("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        // A workaround for other systems, which makes timed waits of a JVM end at once.
        environment.put("FAKETIME_FORCE_MONOTONIC_FIX", "0");
    }

    /** A killed process leaves this behind, and the next one with its number would trip over it. */
    static void forget(long pid) throws IOException {
        Files.deleteIfExists(SHARED_MEMORY.resolve("faketime_shm_" + pid));
        Files.deleteIfExists(SHARED_MEMORY.resolve("sem.faketime_sem_" + pid));
    }

    private static Path library() throws IOException {
        try (DirectoryStream<Path> platforms = Files.newDirectoryStream(LIBRARIES, Files::isDirectory)) {
            for (Path platform : platforms) {
                Path library = platform.resolve("faketime").resolve("libfaketimeMT.so.1");
                if (Files.exists(library)) {
                    return library;
                }
            }
        }
        throw new IOException("libfaketime is not installed: run scripts/install-test-packages");
    }
}
