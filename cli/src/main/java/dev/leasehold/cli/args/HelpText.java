package dev.leasehold.cli.args;

import java.util.ArrayList;
import java.util.List;

/** Help texts, derived from the specs. */
public final class HelpText {
    private static final int WIDTH = 100;
    private static final int MAX_COLUMN = 28;

    /** The same for all groups of the overview: as wide as the longest command name. */
    private static final int COMMAND_COLUMN = "exec-fenced".length();

    private HelpText() {}

    /** The commands with their summaries, one line each. */
    public static List<String> summaries(List<CommandSpec> specs) {
        List<String> lines = new ArrayList<>();
        for (CommandSpec spec : specs) {
            addRow(lines, COMMAND_COLUMN, spec.name(), spec.summary());
        }
        return lines;
    }

    /** The help of one command, with its example. */
    public static List<String> of(CommandSpec spec) {
        List<String> lines = new ArrayList<>();
        lines.add("Usage: " + usage(spec));
        lines.add("");
        wrap(lines, "", spec.description().replace('\n', ' '));
        if (!spec.options().isEmpty()) {
            lines.add("");
            lines.add("Options:");
            addOptions(lines, spec.options());
        }
        lines.add("");
        lines.add("Options of every command:");
        addOptions(lines, spec.commonOptions());
        for (String note : spec.notes()) {
            lines.add("");
            lines.addAll(note.lines().toList());
        }
        lines.add("");
        lines.add("Example:");
        lines.add("  " + spec.example());
        return lines;
    }

    static String usage(CommandSpec spec) {
        StringBuilder usage = new StringBuilder("leasehold ").append(spec.name());
        for (Positional positional : spec.positionals()) {
            String shown = positional.variadic() ? positional.name() + "..." : positional.name();
            usage.append(positional.required() ? " " + shown : " [" + shown + "]");
        }
        for (Option option : spec.options()) {
            if (option.required()) {
                usage.append(' ').append(option.dashed()).append(' ').append(option.placeholder());
            }
        }
        usage.append(" [options]");
        if (spec.passthrough() != null) {
            usage.append(" -- ").append(spec.passthrough());
        }
        return usage.toString();
    }

    private static void addOptions(List<String> lines, List<Option> options) {
        List<String[]> rows = new ArrayList<>();
        for (Option option : options) {
            String left = option.takesValue() ? option.dashed() + " " + option.placeholder() : option.dashed();
            left += option.letter().isEmpty() ? "" : ", -" + option.letter();
            rows.add(new String[] {left, option.help() + (option.repeatable() ? " (repeatable)" : "")});
        }
        addRows(lines, rows);
    }

    private static void addRows(List<String> lines, List<String[]> rows) {
        int column = 0;
        for (String[] row : rows) {
            column = Math.max(column, Math.min(MAX_COLUMN, row[0].length()));
        }
        for (String[] row : rows) {
            addRow(lines, column, row[0], row[1]);
        }
    }

    private static void addRow(List<String> lines, int column, String name, String text) {
        String indent = " ".repeat(column + 4);
        List<String> wrapped = new ArrayList<>();
        wrap(wrapped, indent, text);
        String left = "  " + name;
        if (name.length() <= column) {
            lines.add(left
                    + " ".repeat(indent.length() - left.length())
                    + wrapped.get(0).strip());
            lines.addAll(wrapped.subList(1, wrapped.size()));
        } else {
            lines.add(left);
            lines.addAll(wrapped);
        }
    }

    private static void wrap(List<String> lines, String indent, String text) {
        StringBuilder line = new StringBuilder(indent);
        for (String word : text.split(" ", -1)) {
            if (line.length() + word.length() + 1 > WIDTH && line.length() > indent.length()) {
                lines.add(line.toString());
                line = new StringBuilder(indent);
            }
            line.append(line.length() > indent.length() ? " " : "").append(word);
        }
        lines.add(line.toString());
    }
}
