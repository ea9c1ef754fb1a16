package dev.leasehold.agents;

import dev.leasehold.spi.LeaseStore;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/** What is cleared away at the start of a session. Best effort: whatever fails is tried at the next start. */
public final class AgentHousekeeping {
    private static final Duration RECORDS_KEPT = Duration.ofDays(30);
    private static final int MOST_NAMES = 50;

    private AgentHousekeeping() {}

    /** Removes the records of sessions that have not been used for long. */
    public static void removeOldRecords(Path stateDirectory, Instant now) {
        try (DirectoryStream<Path> records = Files.newDirectoryStream(stateDirectory.resolve("sessions"))) {
            for (Path record : records) {
                // The lock of a session that is in use must stay: it is touched with its record.
                Path main =
                        record.resolveSibling(record.getFileName().toString().replace(".lock", ""));
                Path aged = Files.exists(main) ? main : record;
                if (Files.getLastModifiedTime(aged).toInstant().isBefore(now.minus(RECORDS_KEPT))) {
                    Files.deleteIfExists(record);
                }
            }
        } catch (IOException e) {
            // They only take space.
        }
    }

    /** Forgets the leases of files in the worktree of this directory that are gone. */
    public static int forgetGoneFiles(LeaseStore store, Workspace files, Path directory) {
        return ForgottenFiles.sweep(store, files, DiskWorkspace.rootOf(directory), MOST_NAMES);
    }
}
