package dev.leasehold.internal;

import dev.leasehold.spi.Ids;
import java.io.FileInputStream;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * Random numbers from the kernel if possible, because loading the security providers noticeably
 * slows start-up.
 */
public final class SystemIds implements Ids {
    private static final int BYTES = 16;
    private static final char[] ALPHABET = "abcdefghijklmnopqrstuvwxyz234567".toCharArray();
    private static final int MOST_BYTES = 512 * BYTES;

    private final Object lock = new Object();
    private byte[] drawn = new byte[BYTES];
    private int left;

    @Override
    public String unique() {
        byte[] bytes = random();
        StringBuilder id = new StringBuilder(26);
        int bits = 0;
        int value = 0;
        for (byte b : bytes) {
            value = (value << 8) | (b & 0xff);
            bits += 8;
            while (bits >= 5) {
                bits -= 5;
                id.append(ALPHABET[(value >> bits) & 31]);
            }
        }
        return id.append(ALPHABET[(value << (5 - bits)) & 31]).toString();
    }

    @Override
    public long below(long bound) {
        long value = 0;
        for (byte b : random()) {
            value = (value << 8) ^ b;
        }
        return Math.floorMod(value, Math.max(1, bound));
    }

    private byte[] random() {
        synchronized (lock) {
            if (left == 0) {
                // A command needs few ids. A program that needs many should not open the device for
                // every few of them.
                drawn = new byte[Math.min(MOST_BYTES, 4 * drawn.length)];
                draw();
                left = drawn.length;
            }
            left -= BYTES;
            return Arrays.copyOfRange(drawn, left, left + BYTES);
        }
    }

    /** Draws for several ids at once, because opening the device is slow. */
    private void draw() {
        try (FileInputStream kernel = new FileInputStream("/dev/urandom")) {
            if (kernel.readNBytes(drawn, 0, drawn.length) == drawn.length) {
                return;
            }
        } catch (IOException e) {
            // No such device: use the JDK's source.
        }
        new SecureRandom().nextBytes(drawn);
    }
}
