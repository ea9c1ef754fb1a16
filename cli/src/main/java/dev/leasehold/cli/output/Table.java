package dev.leasehold.cli.output;

import java.util.ArrayList;
import java.util.List;

/** Rows in aligned columns. */
public final class Table {
    private final List<List<String>> rows = new ArrayList<>();

    public Table(String... headings) {
        rows.add(List.of(headings));
    }

    public Table row(String... cells) {
        rows.add(List.of(cells));
        return this;
    }

    /** The lines, without trailing blanks. */
    public List<String> lines() {
        int[] widths = new int[rows.get(0).size()];
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
}
