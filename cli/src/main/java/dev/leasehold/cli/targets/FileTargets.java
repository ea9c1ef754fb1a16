package dev.leasehold.cli.targets;

import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.output.SafeText;
import dev.leasehold.events.KnownTarget;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * Paths on the command line. A text that looks like a git remote is not a path; {@code file:PATH}
 * always is.
 */
public final class FileTargets {
    private static final String FILE = "file:";

    private FileTargets() {}

    /** Whether this is {@code file:PATH}. With two slashes it is a URL for git. */
    static boolean isMarked(String text) {
        return text.startsWith(FILE) && !text.startsWith("file://");
    }

    /** The text without the mark of a file. */
    static String withoutMark(String text) {
        return isMarked(text) ? text.substring(FILE.length()) : text;
    }

    /** A file whose name looks like that of a git remote is written ./a:b. */
    static boolean looksRemote(String text) {
        return !isMarked(text) && KnownTarget.isRemote(text);
    }

    public static Path parse(String where, String text) {
        String path = withoutMark(text);
        if (path.isEmpty()) {
            throw new UsageException(where + " is empty: name a file");
        }
        if (looksRemote(text)) {
            throw new UsageException(where + " " + SafeText.quote(text)
                    + " is a git remote, not a file: use 'leasehold push'"
                    + (text.contains("://") ? "" : " (or write ./ before the name of a file)"));
        }
        try {
            return Path.of(path);
        } catch (InvalidPathException e) {
            throw new UsageException(
                    where + " " + SafeText.quote(text) + " is not a valid path on this system: " + e.getReason(), e);
        }
    }
}
