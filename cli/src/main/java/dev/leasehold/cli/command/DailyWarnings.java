package dev.leasehold.cli.command;

import dev.leasehold.internal.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;

/**
 * Remembers which warnings about a store this user has seen today, so that a crontab does not repeat them at every run. An empty
 * file per warning, below the user's state directory; its time is that of the last warning.
 */
final class DailyWarnings {
    private static final Duration DAY = Duration.ofHours(24);

    private final Path directory;

    DailyWarnings(Path directory) {
        this.directory = directory;
    }

    /** Whether this warning was not given within a day. If that cannot be remembered, it is given again. */
    boolean isDue(String store, String warning, Instant now) {
        Path file = directory.resolve(Sha256.hex((store + '\n' + warning).getBytes(StandardCharsets.UTF_8))
                .substring(0, 32));
        try {
            if (Files.exists(file)
                    && Files.getLastModifiedTime(file).toInstant().isAfter(now.minus(DAY))) {
                return false;
            }
            Files.createDirectories(directory);
            Files.write(file, new byte[0]);
            Files.setLastModifiedTime(file, FileTime.from(now));
        } catch (IOException e) {
            // The user has no home directory, or may not write to it.
        }
        return true;
    }
}
