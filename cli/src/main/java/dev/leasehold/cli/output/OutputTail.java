package dev.leasehold.cli.output;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The last lines that a program printed, for the record of its run. Safe for use by many threads. */
public final class OutputTail {
    private static final int MAX_BYTES = 4096;
    private static final int MAX_LINES = 20;

    private final byte[] ring = new byte[MAX_BYTES];
    private long total;

    /** Costs the same for a large chunk as for a small one. */
    public synchronized void add(byte[] from, int offset, int count) {
        int skipped = Math.max(0, count - MAX_BYTES);
        total += skipped;
        int rest = count - skipped;
        int at = (int) (total % MAX_BYTES);
        int first = Math.min(rest, MAX_BYTES - at);
        System.arraycopy(from, offset + skipped, ring, at, first);
        System.arraycopy(from, offset + skipped + first, ring, 0, rest - first);
        total += rest;
    }

    /** The lines, safe to show. */
    public synchronized List<String> lines() {
        int count = (int) Math.min(total, MAX_BYTES);
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = ring[(int) ((total - count + i) % MAX_BYTES)];
        }
        List<String> lines = new ArrayList<>();
        LineSplitter splitter = new LineSplitter() {
            @Override
            protected void line(byte[] from, int start, int end) {
                PrintableBytes shown = new PrintableBytes();
                shown.addVisibly(from, start, end);
                lines.add(new String(shown.array(), 0, shown.length(), StandardCharsets.UTF_8));
            }

            @Override
            protected void wrote() {}
        };
        splitter.write(bytes, 0, count);
        splitter.finish();
        if (total > MAX_BYTES && lines.size() > 1) {
            // Only its end is here.
            lines.remove(0);
        }
        return List.copyOf(lines.subList(Math.max(0, lines.size() - MAX_LINES), lines.size()));
    }
}
