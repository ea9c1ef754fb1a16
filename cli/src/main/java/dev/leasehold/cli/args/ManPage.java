package dev.leasehold.cli.args;

import java.util.List;
import java.util.Locale;

/** A manual page in the language of {@code man}, derived from the specs like the help. */
public final class ManPage {
    private static final String PROGRAM = "leasehold";

    private final StringBuilder text = new StringBuilder();

    private ManPage(String name, String version) {
        text.append(".TH \"").append(escaped(name.toUpperCase(Locale.ROOT)));
        text.append("\" \"1\" \"\" \"").append(escaped(version)).append("\" \"Leasehold\"\n");
    }

    /** The name of a command's page: {@code leasehold-run}. */
    public static String name(CommandSpec spec) {
        return PROGRAM + "-" + spec.name();
    }

    /** The page of one command. */
    public static String of(CommandSpec spec, String version) {
        ManPage page = new ManPage(name(spec), version);
        page.section("NAME").line(escaped(name(spec)) + " \\- " + escaped(spec.summary()));
        page.section("SYNOPSIS").literal(List.of(HelpText.usage(spec)));
        page.section("DESCRIPTION").line(escaped(spec.description().replace('\n', ' ')));
        if (!spec.options().isEmpty()) {
            page.section("OPTIONS").options(spec.options());
        }
        page.section("OPTIONS OF EVERY COMMAND").options(spec.commonOptions());
        if (!spec.notes().isEmpty()) {
            page.section("NOTES");
            spec.notes().forEach(note -> page.literal(note.lines().toList()));
        }
        page.section("EXAMPLE").literal(List.of(spec.example()));
        page.section("SEE ALSO").line("\\fBleasehold\\fR(1)");
        return page.text.toString();
    }

    /**
     * The page of the program.
     *
     * @param notes shown as they are
     */
    public static String overview(String about, List<CommandSpec> specs, List<String> notes, String version) {
        ManPage page = new ManPage(PROGRAM, version);
        page.section("NAME").line("leasehold \\- " + escaped(about));
        page.section("SYNOPSIS").literal(List.of("leasehold COMMAND ...", "leasehold --version"));
        page.section("COMMANDS");
        for (CommandSpec spec : specs) {
            page.line(".TP").line("\\fB" + escaped(name(spec)) + "\\fR(1)").line(escaped(spec.summary()));
        }
        page.section("NOTES").literal(notes);
        return page.text.toString();
    }

    private ManPage section(String title) {
        return line(".SH \"" + title + "\"");
    }

    private void options(List<Option> options) {
        for (Option option : options) {
            String name = "\\fB" + escaped(option.dashed()) + "\\fR";
            name += option.takesValue() ? " \\fI" + escaped(option.placeholder()) + "\\fR" : "";
            name += option.letter().isEmpty() ? "" : ", \\fB\\-" + option.letter() + "\\fR";
            line(".TP").line(name).line(escaped(option.help() + (option.repeatable() ? " (repeatable)" : "")));
        }
    }

    /** Lines whose breaks and spaces are kept. */
    private void literal(List<String> lines) {
        line(".PP").line(".nf");
        lines.forEach(line -> line(escaped(line)));
        line(".fi");
    }

    private ManPage line(String line) {
        text.append(line).append('\n');
        return this;
    }

    /** Keeps each character from being a command, a hyphen that cannot be copied, or a curly quote. */
    private static String escaped(String plain) {
        StringBuilder safe = new StringBuilder(plain.startsWith(".") ? "\\&" : "");
        plain.codePoints().forEach(c -> {
            switch (c) {
                case '\\' -> safe.append("\\e");
                case '-' -> safe.append("\\-");
                case '\'' -> safe.append("\\(aq");
                case '`' -> safe.append("\\(ga");
                case '^' -> safe.append("\\(ha");
                case '~' -> safe.append("\\(ti");
                case '"' -> safe.append("\\(dq");
                default -> {
                    if (c < 128) {
                        safe.append((char) c);
                    } else {
                        safe.append("\\[u")
                                .append(String.format(Locale.ROOT, "%04X", c))
                                .append(']');
                    }
                }
            }
        });
        return safe.toString();
    }
}
