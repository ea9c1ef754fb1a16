package dev.leasehold.testkit.nemesis;

import dev.leasehold.testkit.environment.InstalledProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;

/**
 * The wall clock of one process. libfaketime moves it while the process runs. The monotonic clock
 * and the timestamps of files stay right.
 */
final class WallClock {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private final Path offset;

    WallClock(Path offset) throws IOException {
        this.offset = offset;
        jump(0);
    }

    /** Sets the clock to this many seconds after the real time. */
    void jump(long seconds) throws IOException {
        // The process reads the file each time it asks for the time, so it must never see half a
        // line.
        Path next = offset.resolveSibling(offset.getFileName() + ".next");
        Files.writeString(next, (seconds < 0 ? "" : "+") + seconds + "s\n");
        Files.move(next, offset, StandardCopyOption.ATOMIC_MOVE);
    }

    void giveTo(Map<String, String> environment) {
        environment.put(
                "LD_PRELOAD",
                InstalledProgram.require(InstalledProgram.LIBFAKETIME).toString());
        environment.put("FAKETIME_TIMESTAMP_FILE", offset.toString());
        environment.put("FAKETIME_NO_CACHE", "1");
        environment.put("NO_FAKE_STAT", "1");
        environment.put("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        // This workaround for other systems would end timed waits of a JVM immediately.
        environment.put("FAKETIME_FORCE_MONOTONIC_FIX", "0");
    }

    /**
     * Removes what a killed process leaves behind: it would disturb the next process with the same
     * number.
     */
    static void forget(long pid) throws IOException {
        Files.deleteIfExists(SHARED_MEMORY.resolve("faketime_shm_" + pid));
        Files.deleteIfExists(SHARED_MEMORY.resolve("sem.faketime_sem_" + pid));
    }
}
