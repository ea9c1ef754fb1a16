package dev.leasehold.cli.output;

import java.util.ArrayList;
import java.util.List;

/** Rows in aligned columns. */
public final class Table {
    private final List<List<String>> rows = new ArrayList<>();
    private final int[] widths;

    public Table(String... headings) {
        widths = new int[headings.length];
        rows.add(List.of(headings));
    }

    public Table row(String... cells) {
        rows.add(List.of(cells));
        return this;
    }

    /** The lines, without trailing blanks. */
    public List<String> lines() {
        for (List<String> row : rows) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < widths.length; column++) {
                line.append(row.get(column))
                        .append(" ".repeat(widths[column] - row.get(column).length() + 2));
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }

    /**
     * The lines since the last call, for a table that is printed while it grows. Its columns only become wider, when a
     * later row needs that.
     */
    public List<String> nextLines() {
        List<String> lines = lines();
        rows.clear();
        return lines;
    }
}
