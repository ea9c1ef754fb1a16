package dev.leasehold.internal;

import dev.leasehold.spi.ClockReading;
import dev.leasehold.spi.Ticker;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The real clocks: {@code nanoTime}, and a clock that counts while the machine sleeps. On Linux the
 * latter is {@code /proc/uptime}, which cannot be set. Elsewhere it is the wall clock, whose jumps
 * can end trust early but never prolong it.
 */
public final class SystemTicker implements Ticker {
    private static final long NANOS_PER_HUNDREDTH = 10_000_000L;

    private final byte[] buffer = new byte[64];
    private final @Nullable RandomAccessFile uptime;

    public SystemTicker() {
        RandomAccessFile opened = null;
        try {
            opened = new RandomAccessFile("/proc/uptime", "r");
        } catch (IOException e) {
            // Not Linux: use the wall clock.
        }
        this.uptime = opened;
    }

    @Override
    public ClockReading read() {
        return new ClockReading(System.nanoTime(), sleepingNanos());
    }

    private long sleepingNanos() {
        if (uptime == null) {
            return System.currentTimeMillis() * 1_000_000;
        }
        synchronized (buffer) {
            try {
                uptime.seek(0);
                return parseHundredths(buffer, uptime.read(buffer)) * NANOS_PER_HUNDREDTH;
            } catch (IOException e) {
                throw new IllegalStateException("the kernel's uptime can no longer be read", e);
            }
        }
    }

    /** Reads {@code 12345.67} as 1234567, without allocating: every check of a lease calls this. */
    static long parseHundredths(byte[] text, int length) {
        long value = 0;
        int afterPoint = -1;
        for (int i = 0; i < length && afterPoint < 2; i++) {
            byte c = text[i];
            if (c == '.') {
                afterPoint = 0;
            } else if (c >= '0' && c <= '9') {
                value = value * 10 + (c - '0');
                afterPoint += afterPoint < 0 ? 0 : 1;
            } else {
                break;
            }
        }
        if (afterPoint != 2) {
            throw new IllegalStateException("the kernel's uptime has an unexpected format: "
                    + new String(text, 0, Math.max(0, length), StandardCharsets.US_ASCII));
        }
        return value;
    }
}
