package dev.leasehold.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Horizontal bars in groups, each group with its own scale, as SVG. */
final class BarChart {
    private static final int WIDTH = 820;
    private static final int LABELS = 310;
    private static final int NUMBERS = 130;
    private static final int BAR = 20;
    private static final int STEP = 28;
    private static final int HEAD = 64;
    private static final int GROUP_HEAD = 34;

    private static final String OURS = "#0b7285";
    private static final String LIMIT = "#adb5bd";
    private static final String OTHERS = "#e8a87c";

    private record Bar(String label, double value, String number, String colour) {}

    private record Group(String title, List<Bar> bars) {}

    private final String title;
    private final String subtitle;
    private final List<Group> groups = new ArrayList<>();

    BarChart(String title, String subtitle) {
        this.title = title;
        this.subtitle = subtitle;
    }

    /** Operations per second of each contender: longer is better. */
    BarChart rates(String group, Measurement outcome, List<String> contenders) {
        return add(group, contenders, name -> 1_000_000 / outcome.median(name), "%,.0f / s");
    }

    /** The time of each contender: shorter is better. */
    BarChart times(String group, Measurement outcome, List<String> contenders) {
        return add(group, contenders, name -> outcome.median(name) / 1000, "%.2f ms");
    }

    @FunctionalInterface
    private interface Value {
        double of(String contender);
    }

    private BarChart add(String group, List<String> contenders, Value value, String format) {
        List<Bar> bars = new ArrayList<>();
        for (String name : contenders) {
            String colour = colour(name, contenders.get(0));
            bars.add(new Bar(name, value.of(name), String.format(Locale.ROOT, format, value.of(name)), colour));
        }
        groups.add(new Group(group, bars));
        return this;
    }

    private static String colour(String name, String limit) {
        return name.startsWith("Leasehold") ? OURS : name.startsWith(limit) ? LIMIT : OTHERS;
    }

    void write(Path file) throws IOException {
        StringBuilder body = new StringBuilder();
        int y = HEAD;
        for (Group group : groups) {
            text(body, 24, y + 20, "font-weight=\"600\" font-size=\"14\"", group.title);
            y += GROUP_HEAD;
            double longest = group.bars.stream().mapToDouble(Bar::value).max().orElse(1);
            for (Bar bar : group.bars) {
                bar(body, bar, y, bar.value / longest);
                y += STEP;
            }
            y += 8;
        }
        int height = y + 12;
        StringBuilder svg = new StringBuilder();
        svg.append("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + WIDTH + "\" height=\"" + height
                + "\" viewBox=\"0 0 " + WIDTH + " " + height
                + "\" font-family=\"system-ui, 'DejaVu Sans', sans-serif\" font-size=\"13\" fill=\"#212529\">\n");
        svg.append("<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#ffffff\" stroke=\"#dee2e6\"/>\n");
        text(svg, 24, 32, "font-weight=\"700\" font-size=\"17\"", title);
        text(svg, 24, 52, "fill=\"#6c757d\" font-size=\"12\"", subtitle);
        svg.append(body).append("</svg>\n");
        Files.writeString(file, svg);
    }

    private static void bar(StringBuilder svg, Bar bar, int y, double share) {
        int width = (int) Math.max(2, Math.round(share * (WIDTH - LABELS - NUMBERS)));
        String weight = bar.colour.equals(OURS) ? " font-weight=\"600\"" : "";
        text(svg, LABELS - 12, y + 15, "text-anchor=\"end\"" + weight, bar.label);
        svg.append("<rect x=\"" + LABELS + "\" y=\"" + y + "\" width=\"" + width + "\" height=\"" + BAR
                + "\" rx=\"3\" fill=\"" + bar.colour + "\"/>\n");
        text(svg, LABELS + width + 8, y + 15, "fill=\"#495057\"" + weight, bar.number);
    }

    private static void text(StringBuilder svg, int x, int y, String attributes, String text) {
        svg.append("<text x=\"" + x + "\" y=\"" + y + "\" " + attributes + ">" + text + "</text>\n");
    }
}
