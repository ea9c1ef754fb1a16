package dev.leasehold.internal.disk;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What is the same for every file that must survive a crash. */
public final class Disk {
    private Disk() {}

    /** Makes names in a directory durable: without it, a file that was renamed or linked may be gone after a power cut. */
    public static void syncDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** What went wrong, in words for the person who has to mend it. */
    public static String explain(IOException failure, Path at) {
        if (failure instanceof SlotFile.LockedException || failure instanceof SlotFile.CorruptException) {
            return String.valueOf(failure.getMessage());
        }
        if (failure instanceof AccessDeniedException) {
            return "no permission for " + at + "; give this user access to it";
        }
        if (failure instanceof NoSuchFileException) {
            return at + " does not exist";
        }
        if (failure instanceof NotDirectoryException) {
            return at + " is not in a directory";
        }
        if (failure instanceof ClosedByInterruptException) {
            return "interrupted while working on " + at;
        }
        String reason = failure instanceof FileSystemException f && f.getReason() != null
                ? f.getReason()
                : String.valueOf(failure.getMessage());
        if (reason.contains("No space left") || reason.contains("quota exceeded")) {
            return "the disk that holds " + at + " is full; free some space and try again";
        }
        if (reason.contains("Read-only file system")) {
            return at + " is on a read-only file system; mount it writable or choose another place";
        }
        return at + ": " + reason;
    }
}
