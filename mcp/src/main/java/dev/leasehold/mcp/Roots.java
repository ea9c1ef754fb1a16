package dev.leasehold.mcp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The directories in which a tool may write. A path is resolved with all its symbolic links before
 * it is compared. Somebody who replaces a directory by a link between the check and the write is
 * not stopped: who can do that can write there anyway.
 */
final class Roots {
    /** What the fences of files, and other parts of Leasehold, begin their names with. */
    private static final String COMPANION = ".leasehold";
    /** The mark of a store in a directory. */
    private static final String STORE = "leasehold-store";

    private static final String GIT = ".git";

    private final List<Path> directories;

    /** @throws IOException if one of them is not a directory */
    Roots(List<Path> given) throws IOException {
        List<Path> real = new ArrayList<>();
        for (Path one : given) {
            Path directory = one.toRealPath();
            if (!Files.isDirectory(directory)) {
                throw new IOException(one + " is not a directory");
            }
            real.add(directory);
        }
        directories = List.copyOf(real);
    }

    boolean isEmpty() {
        return directories.isEmpty();
    }

    /**
     * The real path of a file that may exist or not, below a root.
     *
     * @param text an absolute path, or one that is relative to the first root
     * @throws ToolFailure if it may not be written
     */
    Path resolve(String text) {
        try {
            Path wanted = directories.get(0).resolve(text);
            for (Path part : wanted) {
                if (part.toString().equals("..")) {
                    throw ToolArguments.invalid("'path' must not contain '..'");
                }
            }
            Path real = real(wanted);
            return require(real);
        } catch (InvalidPathException e) {
            throw ToolArguments.invalid("'path' is not a path of this system");
        } catch (IOException e) {
            throw ToolArguments.invalid("the directory of 'path' does not exist or cannot be read: create it first");
        }
    }

    private static Path real(Path wanted) throws IOException {
        Path parent = wanted.getParent();
        Path name = wanted.getFileName();
        if (parent == null || name == null) {
            throw ToolArguments.invalid("'path' must name a file");
        }
        if (!Files.isDirectory(parent)) {
            throw new NotDirectoryException(parent.toString());
        }
        // A link that leads nowhere has no real path, and is refused like a missing directory.
        return Files.exists(wanted, LinkOption.NOFOLLOW_LINKS)
                ? wanted.toRealPath()
                : parent.toRealPath().resolve(name);
    }

    private Path require(Path real) {
        Path root = directories.stream()
                .filter(directory -> real.startsWith(directory) && !real.equals(directory))
                .findFirst()
                .orElseThrow(() -> new ToolFailure(ToolResult.failed(
                        "forbidden", "'path' is outside of the directories that this server may write in")));
        for (Path part : root.relativize(real)) {
            // Some file systems do not tell the cases of letters apart.
            String name = part.toString().toLowerCase(Locale.ROOT);
            if (name.equals(GIT) || (name.startsWith(".") && name.contains(COMPANION))) {
                throw new ToolFailure(ToolResult.failed(
                        "forbidden", "'path' leads to files of git or of Leasehold itself, which no tool may write"));
            }
        }
        for (Path at = real.getParent(); at != null && at.startsWith(root); at = at.getParent()) {
            if (Files.exists(at.resolve(STORE), LinkOption.NOFOLLOW_LINKS)) {
                throw new ToolFailure(
                        ToolResult.failed("forbidden", "'path' leads into a store of leases, which no tool may write"));
            }
        }
        if (Files.isDirectory(real)) {
            throw ToolArguments.invalid("'path' is a directory: name a file");
        }
        return real;
    }
}
