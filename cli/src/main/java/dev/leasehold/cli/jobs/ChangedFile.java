package dev.leasehold.cli.jobs;

import java.nio.file.Path;

/**
 * Tells when a file has changed, but not before it has stayed the same from one look to the next: a file that is being
 * written may read like a whole one, without its second half.
 */
final class ChangedFile {
    private final Path path;
    private FileStamp told;
    private FileStamp last;

    /** What the file is like now counts as known. */
    ChangedFile(Path path) {
        this.path = path;
        this.told = FileStamp.of(path);
        this.last = told;
    }

    /** Whether it is another one than it was when this last said so. Asked from time to time. */
    boolean hasSettled() {
        FileStamp now = FileStamp.of(path);
        boolean settled = now.equals(last);
        last = now;
        if (!settled || now.equals(told)) {
            return false;
        }
        told = now;
        return true;
    }
}
