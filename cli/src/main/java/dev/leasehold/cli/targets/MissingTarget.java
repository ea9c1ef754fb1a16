package dev.leasehold.cli.targets;

import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.output.SafeText;
import dev.leasehold.fence.FencedPath;
import dev.leasehold.internal.Nearest;
import dev.leasehold.internal.disk.Disk;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A target of which nothing exists: a file that is yet to be made, or a mistyped name. A guard with
 * a mistyped name would protect nothing.
 */
final class MissingTarget {
    private static final int MAX_CANDIDATES = 1000;

    private MissingTarget() {}

    /** Also true if that cannot be found out; the fence then reports why. */
    static boolean exists(Path path) {
        try {
            return Disk.existsNoFollow(path);
        } catch (IOException e) {
            return true;
        }
    }

    /** Whether the target was guarded before. */
    static boolean isFenced(Path path) {
        return hasDirectory(path) && FencedPath.at(path).isFenced();
    }

    /**
     * Refuses a path that cannot be a file to be made, or that looks like a git remote.
     *
     * @param text as the user wrote it
     * @param inRepository whether the text is a word inside a git repository
     * @param remotes the remotes of that repository
     */
    static void refuseIfMistyped(String where, String text, Path path, boolean inRepository, List<String> remotes) {
        String name = String.valueOf(path.getFileName());
        boolean looksRemote = name.endsWith(".git") || (inRepository && name.indexOf('.') < 0);
        if (hasDirectory(path) && !looksRemote) {
            return;
        }
        List<String> candidates = new ArrayList<>(remotes);
        addFiles(path, candidates);
        String nearest = Nearest.suggestion(name, candidates, directoryIn(text));
        throw new UsageException(where + " " + SafeText.quote(text)
                + " would guard nothing: it is no file, directory or"
                + " fenced target"
                + (hasDirectory(path) ? " and no remote of this repository" : ", and its directory does not exist")
                + (nearest.isEmpty() ? "." : nearest)
                + (hasDirectory(path)
                        ? " For a file that is yet to be made, write file:" + SafeText.show(text)
                        : " For a file that is yet to be made, create the directory first"));
    }

    /** Says that the path is guarded before it exists. Without its directory it cannot be raised, which is an error. */
    static void announce(String text, Path path, Invocation invocation) {
        if (hasDirectory(path)) {
            invocation.console().say(text + " does not exist yet: it is guarded as a file to be made");
        }
    }

    private static boolean hasDirectory(Path path) {
        Path parent = path.toAbsolutePath().getParent();
        return parent != null && Files.isDirectory(parent);
    }

    private static String directoryIn(String text) {
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == '/') {
            end--;
        }
        return text.substring(0, text.lastIndexOf('/', end - 1) + 1);
    }

    private static void addFiles(Path path, List<String> candidates) {
        Path parent = path.toAbsolutePath().getParent();
        if (parent == null) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(parent)) {
            for (Path file : files) {
                candidates.add(String.valueOf(file.getFileName()));
                if (candidates.size() >= MAX_CANDIDATES) {
                    return;
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // Without a suggestion the message is still right.
        }
    }
}
