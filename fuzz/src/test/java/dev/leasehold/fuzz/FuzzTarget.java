package dev.leasehold.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A parser of text that comes from outside or that a disk may have damaged.
 *
 * @param refusal the only exception type by which it may reject input
 * @param reader parses the text; an {@link AssertionError} means that the result is wrong
 * @param seeds valid inputs, from which a fuzzer starts
 */
public record FuzzTarget(String name, Class<? extends Exception> refusal, Reader reader, List<String> seeds) {
    private static final int MAX_MESSAGE = 5000;

    /** Parses a text. */
    @FunctionalInterface
    public interface Reader {
        void read(String text) throws Exception;
    }

    public static FuzzTarget of(String name, Class<? extends Exception> refusal, Reader reader, String... seeds) {
        return new FuzzTarget(name, refusal, reader, List.of(seeds));
    }

    /**
     * Returns whether the input was accepted; throws if it was neither accepted nor rejected
     * properly.
     */
    public boolean feed(byte[] input) {
        return feed(new String(input, StandardCharsets.UTF_8));
    }

    public boolean feed(String text) {
        try {
            reader.read(text);
            return true;
        } catch (Exception e) {
            if (e.getClass() != refusal) {
                throw new AssertionError(name + " threw an exception other than " + refusal.getSimpleName(), e);
            }
            requireSuitableMessage(String.valueOf(e.getMessage()), e);
            return false;
        }
    }

    /**
     * A message must not be empty, and must contain no control characters that a terminal would
     * interpret.
     */
    private void requireSuitableMessage(String message, Exception e) {
        boolean plain = message.chars().allMatch(c -> c == '\n' || (c >= 0x20 && c != 0x7f));
        if (!plain || message.length() < 12 || message.length() > MAX_MESSAGE) {
            throw new AssertionError(name + " rejected the input with an unsuitable message", e);
        }
    }

    /** A value that is written and read again must be the same. */
    public static void requireSame(Object before, Object after) {
        if (!before.equals(after)) {
            throw new AssertionError("read " + before + ", written and read again " + after);
        }
    }

    /** A result must not grow out of proportion to its input. */
    public static void requireBelow(long size, long bound) {
        if (size > bound) {
            throw new AssertionError("grew to " + size + ", more than " + bound);
        }
    }
}
