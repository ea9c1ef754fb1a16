package dev.leasehold.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A place where text comes in that a stranger wrote or a disk has damaged.
 *
 * @param refusal the one type of exception by which it may refuse
 * @param reader reads the text; an {@link AssertionError} says that what was read is wrong
 * @param seeds what it does not refuse: a fuzzer starts from these
 */
public record FuzzTarget(String name, Class<? extends Exception> refusal, Reader reader, List<String> seeds) {
    private static final int MAX_MESSAGE = 5000;

    /** Reads a text. */
    @FunctionalInterface
    public interface Reader {
        void read(String text) throws Exception;
    }

    public static FuzzTarget of(String name, Class<? extends Exception> refusal, Reader reader, String... seeds) {
        return new FuzzTarget(name, refusal, reader, List.of(seeds));
    }

    /** Whether the input was taken; an error if it was neither taken nor refused as it should be. */
    public boolean feed(byte[] input) {
        return feed(new String(input, StandardCharsets.UTF_8));
    }

    public boolean feed(String text) {
        try {
            reader.read(text);
            return true;
        } catch (Exception e) {
            if (e.getClass() != refusal) {
                throw new AssertionError(name + " threw something else than " + refusal.getSimpleName(), e);
            }
            requireFitToShow(String.valueOf(e.getMessage()), e);
            return false;
        }
    }

    /** A message that says something, in words of ours, without what a terminal could act on. */
    private void requireFitToShow(String message, Exception e) {
        boolean plain = message.chars().allMatch(c -> c == '\n' || (c >= 0x20 && c != 0x7f));
        if (!plain || message.length() < 12 || message.length() > MAX_MESSAGE) {
            throw new AssertionError(name + " refused with a message that is not fit to be shown", e);
        }
    }

    /** What is read, written and read again is the same. */
    public static void requireSame(Object before, Object after) {
        if (!before.equals(after)) {
            throw new AssertionError("read " + before + ", written and read again " + after);
        }
    }

    /** Something that is made of the input, and must not grow with it out of all proportion. */
    public static void requireBelow(long size, long bound) {
        if (size > bound) {
            throw new AssertionError("grew to " + size + ", more than " + bound);
        }
    }
}
