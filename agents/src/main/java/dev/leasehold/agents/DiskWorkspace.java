package dev.leasehold.agents;

import dev.leasehold.internal.Sha256;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** The files of this machine. */
public final class DiskWorkspace implements Workspace {
    /** An agent waits for the hook, and an answer that comes too late permits the edit. */
    private static final long MAX_BYTES = 64L * 1024 * 1024;

    private static final int MAX_LINKS = 40;

    private final VersionCopies copies;

    public DiskWorkspace(Path stateDirectory) {
        this.copies = new VersionCopies(stateDirectory.resolve("copies"));
    }

    @Override
    public FilePlace locate(String cwd, String path) throws Refusal {
        if (path.isEmpty() || path.startsWith("~")) {
            throw new Refusal("the path \"" + Messages.shown(path) + "\" cannot be guarded: write the absolute path of"
                    + " a file.");
        }
        if (path.indexOf('\ufffd') >= 0) {
            throw new Refusal("the path \"" + Messages.shown(path) + "\" is not valid Unicode, so the file that is"
                    + " meant cannot be told. Rename the file, or ask the user.");
        }
        Path real;
        try {
            Path start = Path.of(cwd);
            if (!start.isAbsolute()) {
                throw new Refusal("the directory of the agent is not an absolute path.");
            }
            real = real(start.resolve(path), 0);
        } catch (InvalidPathException e) {
            throw new Refusal("the path \"" + Messages.shown(path) + "\" is not valid on this system (" + e.getReason()
                    + "). If it is not plain ASCII, start the agent in a UTF-8 locale.");
        }
        Path root = root(real);
        return FilePlace.of(root.toString(), root.relativize(real).toString());
    }

    /**
     * The path without links. The parents of a file that does not exist are resolved as far as they
     * exist.
     */
    private static Path real(Path path, int links) throws Refusal {
        try {
            return path.toRealPath();
        } catch (NoSuchFileException e) {
            return realOfMissing(path, links);
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }

    private static Path realOfMissing(Path path, int links) throws Refusal {
        Path parent = path.getParent();
        Path name = path.getFileName();
        if (parent == null || name == null) {
            throw new Refusal("the path \"" + Messages.shown(path.toString()) + "\" is not a file.");
        }
        String last = name.toString();
        if (last.equals("..")) {
            throw new Refusal("the path \"" + Messages.shown(path.toString()) + "\" goes up from a directory that"
                    + " does not exist. Write it without '..'.");
        }
        if (last.equals(".")) {
            return real(parent, links);
        }
        if (Files.isSymbolicLink(path)) {
            if (links >= MAX_LINKS) {
                throw new Refusal("there are too many symbolic links at " + Messages.shown(path.toString()) + ".");
            }
            try {
                return real(parent.resolve(Files.readSymbolicLink(path)), links + 1);
            } catch (IOException e) {
                throw unreadable(path, e);
            }
        }
        return real(parent, links).resolve(name);
    }

    /** The root of the worktree, or of the file system: the same for every session. */
    static Path root(Path file) {
        for (Path at = file.getParent(); at != null; at = at.getParent()) {
            if (Files.exists(at.resolve(".git"), LinkOption.NOFOLLOW_LINKS)) {
                return at;
            }
        }
        Path root = file.getRoot();
        return root == null ? file : root;
    }

    @Override
    public @Nullable FilePlace acrossWorktrees(FilePlace place) {
        Path git = root(Path.of(place.path())).resolve(".git");
        try {
            if (Files.isDirectory(git)) {
                return FilePlace.of(git.toRealPath().toString(), place.shown());
            }
            // In a further worktree, this file names the directory of the worktree, and a file there the
            // directory that all worktrees share.
            String pointer = Files.readString(git).strip();
            Path own = git.resolveSibling(
                    pointer.substring(pointer.indexOf(':') + 1).strip());
            Path common = own.resolve(Files.readString(own.resolve("commondir")).strip());
            return FilePlace.of(common.toRealPath().toString(), place.shown());
        } catch (IOException | InvalidPathException e) {
            return null;
        }
    }

    /** Where names of leases of files in this directory start. */
    public static String rootOf(Path directory) {
        return root(directory.resolve("-")).toString();
    }

    @Override
    public byte @Nullable [] content(FilePlace place) throws Refusal {
        Path file = Path.of(place.path());
        try {
            BasicFileAttributes attributes =
                    Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (!attributes.isRegularFile()) {
                throw new Refusal(Messages.shown(place.shown()) + " is "
                        + (attributes.isDirectory() ? "a directory" : "not a regular file")
                        + ", so it cannot be guarded. Your edit was refused and nothing was changed.");
            }
            if (attributes.size() > MAX_BYTES) {
                throw new Refusal(Messages.shown(place.shown()) + " is larger than " + MAX_BYTES / 1024 / 1024
                        + " MB, so it cannot be guarded. Your edit was refused and nothing was changed.");
            }
            requireOneLink(place, file);
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    /** A file with several names would have several leases. */
    private static void requireOneLink(FilePlace place, Path file) throws IOException, Refusal {
        Object links;
        try {
            links = Files.getAttribute(file, "unix:nlink", LinkOption.NOFOLLOW_LINKS);
        } catch (UnsupportedOperationException | IllegalArgumentException e) {
            return;
        }
        if (links instanceof Integer count && count > 1) {
            throw new Refusal(Messages.shown(place.shown()) + " has " + count + " hard links, so another name leads to"
                    + " the same content and it cannot be guarded. Your edit was refused and nothing was changed."
                    + " Replace it by a copy of itself first, if it need not be linked.");
        }
    }

    private static Refusal unreadable(Path file, IOException e) {
        String why = e instanceof AccessDeniedException ? "access is denied" : "the system reports an error";
        return new Refusal(Messages.shown(file.toString()) + " cannot be looked at: " + why
                + ". The edit was refused, because nobody can tell whether it would overwrite something.");
    }

    @Override
    public String hash(byte @Nullable [] content) {
        return content == null ? ABSENT : Sha256.hex(content);
    }

    @Override
    public String stamp(FilePlace place) {
        try {
            BasicFileAttributes attributes =
                    Files.readAttributes(Path.of(place.path()), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return attributes.size() + "-"
                    + attributes.lastModifiedTime().to(java.util.concurrent.TimeUnit.NANOSECONDS);
        } catch (IOException | InvalidPathException e) {
            return ABSENT;
        }
    }

    @Override
    public void keep(FilePlace place, Version version, byte[] content) {
        copies.keep(place, version, content);
    }

    @Override
    public @Nullable Version last(FilePlace place) {
        return copies.last(place);
    }

    @Override
    public @Nullable String copy(Version version) {
        return copies.find(version.hash());
    }

    @Override
    public void forget(FilePlace place) {
        copies.forget(place);
    }
}
