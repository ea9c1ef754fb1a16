package dev.leasehold.cli.jobs;

import java.nio.file.Path;

/**
 * Detects that a file has changed, once it has stayed the same between two checks. A file that is
 * still being written may be valid without its second half.
 */
final class ChangedFile {
    private final Path path;
    private FileStamp known;
    private FileStamp last;

    /** The present state of the file counts as known. */
    ChangedFile(Path path) {
        this.path = path;
        this.known = FileStamp.of(path);
        this.last = known;
    }

    /** The file as it is now is about to be read. */
    void know() {
        known = FileStamp.of(path);
        last = known;
    }

    /**
     * Whether the file has changed since the last true answer, and is complete. Called
     * periodically.
     */
    boolean hasSettled() {
        FileStamp now = FileStamp.of(path);
        boolean settled = now.equals(last);
        last = now;
        if (!settled || now.equals(known)) {
            return false;
        }
        known = now;
        return true;
    }
}
