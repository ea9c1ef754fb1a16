package dev.leasehold.git;

import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.internal.disk.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A temporary repository for one operation. It holds the objects that are fetched and created for a
 * fence, so that the user's repository keeps no trace of them.
 */
final class PrivateRepository implements AutoCloseable {
    private final Path scratch;
    private ObjectFormat format = ObjectFormat.SHA1;

    private PrivateRepository(Path scratch) {
        this.scratch = scratch;
    }

    /** Creates the directory, which only this user may read. */
    static PrivateRepository create() {
        try {
            return new PrivateRepository(Files.createTempDirectory("leasehold-git-"));
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** For files that are not part of the repository. */
    Path scratch() {
        return scratch;
    }

    Path directory() {
        return scratch.resolve("repo");
    }

    Path objects() {
        return directory().resolve("objects");
    }

    /**
     * Writes the files that git needs to accept the directory as a repository, without starting
     * {@code git init}.
     */
    void init(ObjectFormat objectFormat) {
        format = objectFormat;
        boolean plain = objectFormat == ObjectFormat.SHA1;
        try {
            Files.createDirectories(objects());
            Files.createDirectories(directory().resolve("refs"));
            Files.writeString(directory().resolve("HEAD"), "ref: refs/heads/none\n");
            Files.writeString(
                    directory().resolve("config"),
                    "[core]\n\tbare = true\n\trepositoryformatversion = " + (plain ? 0 : 1) + "\n"
                            + (plain ? "" : "[extensions]\n\tobjectformat = " + objectFormat.word() + "\n"));
        } catch (IOException e) {
            throw failed(e);
        }
    }

    String emptyTree() {
        return write("tree", "");
    }

    String write(String type, String text) {
        try {
            return format.write(objects(), type, text);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    String read(String id) {
        try {
            return ObjectFormat.read(objects(), id);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Stores a commit without its ancestors, in the form of a shallow fetch. */
    void store(String ref, FenceCommit commit) {
        write("commit", commit.text());
        try {
            Path file = directory().resolve(ref);
            Files.createDirectories(file.resolveSibling("."));
            Files.writeString(file, commit.id() + "\n");
            if (commit.text().contains("\nparent ")) {
                Files.writeString(directory().resolve("shallow"), commit.id() + "\n");
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** The id that a ref of this repository points to. */
    Optional<String> ref(String ref) {
        Path file = directory().resolve(ref);
        try {
            return Optional.of(Files.readString(file).strip());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Writes a grafts file that makes git treat a commit as the first of its history. */
    Path graft(String id) {
        try {
            return Files.writeString(scratch.resolve("grafts"), id + "\n");
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Installs a hook in this repository. */
    void hook(String name, String script) {
        Path hook = directory().resolve("hooks").resolve(name);
        try {
            Files.createDirectories(hook.resolveSibling("."));
            Files.writeString(hook, "#!/bin/sh\n" + script);
        } catch (IOException e) {
            throw failed(e);
        }
        if (!hook.toFile().setExecutable(true)) {
            throw new TargetUnavailableException("cannot make " + hook + " executable");
        }
    }

    @Override
    public void close() {
        Trees.delete(scratch);
    }

    private static TargetUnavailableException failed(IOException e) {
        return new TargetUnavailableException(
                "the temporary repository, which every fenced push needs, cannot be used: " + e.getMessage(), e);
    }
}
