package dev.leasehold.cli.child;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * When the command must be dead, in hundredths of a second of a clock that the wrapper and the
 * supervisor share. Where there is a {@code /proc} this is the time since boot, which runs on while
 * a laptop sleeps and cannot be set. Elsewhere it is the wall clock.
 */
final class Deadline {
    private final @Nullable Path uptime;
    private final long grace;
    private volatile long at;

    Deadline(@Nullable Path proc, Supplier<Duration> left, Duration grace) throws IOException {
        this.uptime = proc == null ? null : proc.resolve("uptime");
        this.grace = hundredths(grace);
        this.at = after(left);
    }

    /**
     * Reads the clock before it asks how much time is left: a pause in between makes the result
     * earlier, never later.
     */
    long after(Supplier<Duration> left) throws IOException {
        long now = now();
        return now + hundredths(left.get());
    }

    void moveTo(long value) {
        at = value;
    }

    long at() {
        return at;
    }

    /** The time from TERM to KILL. */
    long grace() {
        return grace;
    }

    /** Rounded down, so that a deadline computed from it is early rather than late. */
    long now() throws IOException {
        if (uptime == null) {
            return System.currentTimeMillis() / 10;
        }
        String text = Files.readString(uptime);
        // "12345.67 …", always with two decimals.
        int point = text.indexOf('.');
        return Long.parseLong(text, 0, point, 10) * 100 + Long.parseLong(text, point + 1, point + 3, 10);
    }

    private static long hundredths(Duration duration) {
        return duration.toMillis() / 10;
    }
}
