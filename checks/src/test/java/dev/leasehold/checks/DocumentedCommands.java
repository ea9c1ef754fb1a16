package dev.leasehold.checks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The command lines in the documents: the lines in code blocks without a language, or of a shell,
 * that call {@code leasehold}. Indented lines are output.
 */
final class DocumentedCommands {
    private static final Pattern FENCE = Pattern.compile("^\\s*```(\\w*)\\s*$");
    private static final Pattern CALL = Pattern.compile("(?:^|[|&;]\\s*|\\s)[\\w./]*\\bleasehold\\s.*");
    private static final Pattern CRONTAB = Pattern.compile("^((?:[\\d*/,-]+\\s+){5})(.*)$");
    private static final List<String> SHELLS = List.of("", "sh", "bash");

    private DocumentedCommands() {}

    /** A line and where it is. */
    record Line(String place, String text) {
        /** The command of a line for the crontab, or null if it is for a shell. */
        String crontabCommand() {
            Matcher crontab = CRONTAB.matcher(text);
            return crontab.matches() ? crontab.group(2) : null;
        }
    }

    /** All lines of README.md and docs/*.md. */
    static List<Line> in(Path root) throws IOException {
        List<Path> documents = new ArrayList<>(List.of(root.resolve("README.md")));
        try (Stream<Path> pages = Files.list(root.resolve("docs"))) {
            pages.filter(page -> page.toString().endsWith(".md")).sorted().forEach(documents::add);
        }
        List<Line> lines = new ArrayList<>();
        for (Path document : documents) {
            collect(root.relativize(document).toString(), Files.readAllLines(document), lines);
        }
        return lines;
    }

    private static void collect(String name, List<String> text, List<Line> lines) {
        String language = null;
        for (int i = 0; i < text.size(); i++) {
            String line = text.get(i);
            Matcher fence = FENCE.matcher(line);
            if (fence.matches()) {
                language = language == null ? fence.group(1) : null;
            } else if (language != null && SHELLS.contains(language) && isCall(line)) {
                lines.add(new Line(name + ":" + (i + 1), line));
            }
        }
    }

    private static boolean isCall(String line) {
        return !line.startsWith(" ") && CALL.matcher(line).find();
    }
}
