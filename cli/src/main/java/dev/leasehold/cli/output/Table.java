package dev.leasehold.cli.output;

import java.util.ArrayList;
import java.util.List;

/** Rows in aligned columns. */
public final class Table {
    private static final int GAP = 2;
    private static final int LEAST = 8;
    private static final String CUT = "...";

    private final List<List<String>> rows = new ArrayList<>();
    private final int[] widths;
    private final boolean[] cuttable;
    private int limit = Integer.MAX_VALUE;

    public Table(String... headings) {
        widths = new int[headings.length];
        cuttable = new boolean[headings.length];
        rows.add(List.of(headings));
    }

    /**
     * Makes the lines fit into a width, as far as that is possible.
     *
     * @param width zero for no limit
     * @param columns those that may be cut, in the middle: names differ at both ends
     */
    public Table fit(int width, int... columns) {
        limit = width > 0 ? width : Integer.MAX_VALUE;
        for (int column : columns) {
            cuttable[column] = true;
        }
        return this;
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
        int[] shown = fitted();
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < widths.length; column++) {
                String cell = cut(row.get(column), shown[column]);
                line.append(cell).append(" ".repeat(shown[column] - cell.length() + GAP));
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }

    /** The widest columns become narrower until the line fits. */
    private int[] fitted() {
        int[] shown = widths.clone();
        int total = -GAP;
        for (int width : shown) {
            total += width + GAP;
        }
        while (total > limit) {
            int widest = -1;
            for (int column = 0; column < shown.length; column++) {
                boolean wider = widest < 0 || shown[column] > shown[widest];
                widest = cuttable[column] && shown[column] > LEAST && wider ? column : widest;
            }
            if (widest < 0) {
                return shown;
            }
            shown[widest]--;
            total--;
        }
        return shown;
    }

    private static String cut(String cell, int width) {
        if (cell.length() <= width) {
            return cell;
        }
        int kept = width - CUT.length();
        int end = kept / 2;
        return cell.substring(0, kept - end) + CUT + cell.substring(cell.length() - end);
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
