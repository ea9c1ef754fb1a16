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
        for (int i = offset; i < end; i++) {
            byte octet = from[i];
            if (octet == '\n' && afterReturn && i == start) {
                // The second half of a line end.
                start = i + 1;
                afterReturn = false;
            } else if (octet == '\n' || octet == '\r') {
                complete(from, start, i);
                start = i + 1;
                afterReturn = octet == '\r';
            } else if (length + i + 1 - start > MAX_LINE) {
                complete(from, start, i);
                start = i;
                afterReturn = false;
            }
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
