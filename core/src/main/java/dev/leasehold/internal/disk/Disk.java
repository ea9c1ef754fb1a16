package dev.leasehold.internal.disk;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** File operations for files that must survive a crash. */
public final class Disk {
    private static final String READ_ONLY = "Read-only file system";

    private Disk() {}

    /**
     * Makes the names in a directory durable. Otherwise a file that was renamed or linked may be
     * gone after a power failure.
     */
    public static void syncDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /**
     * Whether a file exists. Follows symbolic links. Returns false only if the file system says that the file does not exist;
     * every other error is thrown, unlike in {@link Files#exists}, because it says nothing about the file.
     */
    public static boolean exists(Path path) throws IOException {
        return attributes(path) != null;
    }

    /** As {@link #exists}, but a symbolic link itself counts, wherever it points. */
    public static boolean existsNoFollow(Path path) throws IOException {
        return attributes(path, LinkOption.NOFOLLOW_LINKS) != null;
    }

    /** Whether this is a directory and not a link to one. Throws as {@link #exists} does. */
    public static boolean isDirectoryNoFollow(Path path) throws IOException {
        BasicFileAttributes found = attributes(path, LinkOption.NOFOLLOW_LINKS);
        return found != null && found.isDirectory();
    }

    /** Whether this is a symbolic link. Throws as {@link #exists} does. */
    public static boolean isSymbolicLink(Path path) throws IOException {
        BasicFileAttributes found = attributes(path, LinkOption.NOFOLLOW_LINKS);
        return found != null && found.isSymbolicLink();
    }

    private static @Nullable BasicFileAttributes attributes(Path path, LinkOption... links) throws IOException {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class, links);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /** Creates a file for writing; fails if the name is taken. */
    public static FileChannel createNew(Path path, FileAttribute<?>... attributes) throws IOException {
        return FileChannel.open(path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), attributes);
    }

    /** Deletes a temporary file. A file that cannot be deleted stays, because the caller's answer matters more. */
    public static void deleteQuietly(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            // A later sweep deletes it.
        }
    }

    /** The files in a directory. An error while reading is an IOException, not an unchecked one. */
    public static List<Path> list(Path directory) throws IOException {
        return list(directory, "");
    }

    /**
     * The files in a directory whose names start with the prefix. There may be very many others.
     */
    public static List<Path> list(Path directory, String prefix) throws IOException {
        List<Path> found = new ArrayList<>();
        visit(directory, file -> {
            if (String.valueOf(file.getFileName()).startsWith(prefix)) {
                found.add(file);
            }
        });
        return found;
    }

    /** Sees one file after the other. */
    @FunctionalInterface
    public interface Visitor {
        void see(Path file) throws IOException;
    }

    /** The files in a directory, of which there may be more than fit into memory. */
    public static void visit(Path directory, Visitor visitor) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                visitor.see(file);
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    /** Whether only reading is possible: no permission to write, a read-only file system, or no space. */
    public static boolean isUnwritable(IOException failure) {
        return failure instanceof AccessDeniedException
                || isFull(failure)
                || String.valueOf(failure.getMessage()).contains(READ_ONLY);
    }

    private static boolean isFull(IOException failure) {
        String message = String.valueOf(failure.getMessage());
        return message.contains("No space left") || message.contains("quota exceeded");
    }

    /** What went wrong and what to do, for people. */
    public static String explain(IOException failure, Path at) {
        if (failure instanceof TwoCopyFile.LockedException
                || failure instanceof TwoCopyFile.LostLockException
                || failure instanceof TwoCopyFile.CorruptException) {
            return String.valueOf(failure.getMessage());
        }
        if (failure instanceof AccessDeniedException) {
            return "no permission for " + at + "; give this user access";
        }
        if (failure instanceof NoSuchFileException) {
            return at + " does not exist";
        }
        if (failure instanceof NotDirectoryException) {
            return at + " is not a directory, or its parent is not";
        }
        if (failure instanceof ClosedByInterruptException) {
            return "interrupted while working on " + at;
        }
        String reason = failure instanceof FileSystemException f && f.getReason() != null
                ? f.getReason()
                : String.valueOf(failure.getMessage());
        if (reason.contains("Not a directory")) {
            return "a part of the path " + at + " is not a directory; choose another path";
        }
        if (isFull(failure)) {
            return "the disk that holds " + at + " is full; free some space and try again";
        }
        if (reason.contains(READ_ONLY)) {
            return at + " is on a read-only file system; mount it writable or choose another place";
        }
        if (reason.contains("Too many open files")) {
            return "this process has too many open files to use " + at + "; raise its limit, or close some files";
        }
        if (reason.contains("Input/output error") || reason.contains("Stale file handle")) {
            return at + ": " + reason + ", reported by its disk or file server; repair that and try again";
        }
        return at + ": " + reason;
    }
}
