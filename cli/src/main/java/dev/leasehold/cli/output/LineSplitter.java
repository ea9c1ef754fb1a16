package dev.leasehold.cli.output;

import java.io.OutputStream;

/**
 * Divides what another program prints into lines. A line that is longer than the limit becomes several, so neither a line
 * without an end nor a flood of output needs memory. Safe for use by many threads.
 */
public abstract class LineSplitter extends OutputStream {
    static final int MAX_LINE = 8192;

    /** The beginning of a line whose end has not arrived. */
    private final byte[] begun = new byte[MAX_LINE];

    private int length;
    private boolean afterReturn;

    /** Receives a line, without its end. The array is valid during the call only. */
    protected abstract void line(byte[] from, int start, int end);

    /** Called after the lines of one write. */
    protected abstract void wrote();

    @Override
    public final void write(int octet) {
        write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public final synchronized void write(byte[] from, int offset, int count) {
        int start = offset;
        int end = offset + count;
        while (start < end) {
            // The part of a line that may still be taken.
            int limit = Math.min(end, start + MAX_LINE - length);
            int i = start;
            while (i < limit && from[i] != '\n' && from[i] != '\r') {
                i++;
            }
            if (i == end) {
                break;
            }
            boolean ended = from[i] == '\n' || from[i] == '\r';
            if (!ended || from[i] == '\r' || !afterReturn || i > start) {
                complete(from, start, i);
            }
            // A newline after a return is the second half of one line end.
            afterReturn = ended && from[i] == '\r';
            start = ended ? i + 1 : i;
        }
        System.arraycopy(from, start, begun, length, end - start);
        length += end - start;
        afterReturn &= length == 0;
        wrote();
    }

    private void complete(byte[] from, int start, int end) {
        if (length == 0) {
            line(from, start, end);
            return;
        }
        System.arraycopy(from, start, begun, length, end - start);
        int whole = length + end - start;
        length = 0;
        line(begun, 0, whole);
    }

    /** Passes on a last line that has no end. */
    public final synchronized void finish() {
        if (length > 0) {
            int whole = length;
            length = 0;
            line(begun, 0, whole);
            wrote();
        }
    }
}
