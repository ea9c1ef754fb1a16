package dev.leasehold.git;

import dev.leasehold.fence.TargetUnavailableException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/**
 * A repository of our own, for as long as one step takes: what is fetched and made for a fence lies here, so that it leaves
 * no trace in the user's.
 */
final class PrivateRepository implements AutoCloseable {
    private final Path scratch;
    private ObjectFormat format = ObjectFormat.SHA1;

    private PrivateRepository(Path scratch) {
        this.scratch = scratch;
    }

    /** A directory that nobody else may read. */
    static PrivateRepository create() {
        try {
            return new PrivateRepository(Files.createTempDirectory("leasehold-git-"));
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Where to put what is not part of the repository. */
    Path scratch() {
        return scratch;
    }

    Path directory() {
        return scratch.resolve("repo");
    }

    Path objects() {
        return directory().resolve("objects");
    }

    /** Makes it a repository; what {@code git init} would write beyond this is not needed. */
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

    /** Puts a commit here as if it had been fetched, and without its ancestors. */
    void adopt(String ref, FenceCommit commit) {
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

    /** What a ref here points to. */
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

    /** A file that makes git take a commit for the first of its history, wherever its parents are. */
    Path graft(String id) {
        try {
            return Files.writeString(scratch.resolve("grafts"), id + "\n");
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** A script that git runs here at a certain moment. */
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
        try {
            Files.walkFileTree(scratch, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.delete(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path directory, IOException failure) throws IOException {
                    Files.delete(directory);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            // What is left lies where the system keeps what may go; the step itself is done.
        }
    }

    private static TargetUnavailableException failed(IOException e) {
        return new TargetUnavailableException(
                "the temporary repository, which every fenced push needs, cannot be used: " + e.getMessage(), e);
    }
}
