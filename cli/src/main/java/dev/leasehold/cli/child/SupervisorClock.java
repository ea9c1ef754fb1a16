package dev.leasehold.cli.child;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The clock that wrapper and guard share, in hundredths of a second: the time since boot where there is a
 * {@code /proc} (it counts on while a laptop sleeps, and nobody can set it), else the wall clock.
 */
final class SupervisorClock {
    private final @Nullable Path uptime;

    SupervisorClock(@Nullable Path proc) {
        uptime = proc == null ? null : proc.resolve("uptime");
    }

    /** Rounded down, so that a deadline reckoned from it is early rather than late. */
    long now() throws IOException {
        if (uptime == null) {
            return System.currentTimeMillis() / 10;
        }
        String text = Files.readString(uptime);
        // "12345.67 …", always with two decimals.
        int point = text.indexOf('.');
        return Long.parseLong(text, 0, point, 10) * 100 + Long.parseLong(text, point + 1, point + 3, 10);
    }

    static long hundredths(Duration duration) {
        return duration.toMillis() / 10;
    }
}
