package dev.leasehold.cli.targets;

import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.output.SafeText;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Paths as they are named on the command line; what looks like a git remote is none. */
public final class FileTargets {
    private FileTargets() {}

    /** As git reads it: a colon before any slash is host:path. A file of such a name is reached as ./a:b. */
    static boolean looksRemote(String text) {
        int colon = text.indexOf(':');
        return text.contains("://") || (colon > 0 && text.substring(0, colon).indexOf('/') < 0);
    }

    public static Path parse(String where, String text) {
        if (text.isEmpty()) {
            throw new UsageException(where + " is empty: name a file");
        }
        if (looksRemote(text)) {
            throw new UsageException(where + " " + SafeText.quote(text)
                    + " is not a file but a git remote, which is written by 'leasehold push'"
                    + (text.contains("://") ? "" : " (for a file of that name write ./ before it)"));
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new UsageException(
                    where + " " + SafeText.quote(text) + " is not a path on this system: " + e.getReason(), e);
        }
    }
}
