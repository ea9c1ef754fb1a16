package dev.leasehold.agents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/** A directory that only this user can read: it has the content of files. */
final class PrivateDirectory {
    private PrivateDirectory() {}

    static void create(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        try {
            Files.createDirectories(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (UnsupportedOperationException e) {
            Files.createDirectories(directory);
        }
    }

    /** Replaces a file by a rename, so that a crash leaves the old content or the new. Only under a lock. */
    static void replace(Path file, byte[] content) throws IOException {
        Path scratch = file.resolveSibling(file.getFileName() + ".new");
        Files.write(scratch, content);
        Files.move(scratch, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
