package dev.leasehold.cli;

import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.output.SafeText;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Targets as they are named on the command line. Files for now; what looks like something else is refused by name. */
final class FileTargets {
    private FileTargets() {}

    static List<Path> parse(String where, List<String> texts) {
        List<Path> targets = new ArrayList<>();
        for (String text : texts) {
            targets.add(parse(where, text));
        }
        return targets;
    }

    static Path parse(String where, String text) {
        if (text.isEmpty()) {
            throw new UsageException(where + " is empty: name a file");
        }
        int colon = text.indexOf(':');
        boolean scheme = text.contains("://");
        // As git reads it: a colon before any slash is host:path. A file of such a name is reached as ./a:b.
        boolean hostAndPath = colon > 0 && text.substring(0, colon).indexOf('/') < 0;
        if (scheme || hostAndPath) {
            throw new UsageException(where + " " + SafeText.quote(text)
                    + " is not a file: other kinds of targets are not" + " known to this version"
                    + (scheme ? "" : " (for a file of that name write ./ before it)"));
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new UsageException(
                    where + " " + SafeText.quote(text) + " is not a path on this system: " + e.getReason(), e);
        }
    }
}
