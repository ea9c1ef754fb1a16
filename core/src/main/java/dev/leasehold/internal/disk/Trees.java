package dev.leasehold.internal.disk;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/** Operations on directory trees. */
public final class Trees {
    private Trees() {}

    /** Removes a tree as far as possible. Links are not followed. */
    public static void delete(Path tree) {
        try {
            Files.walkFileTree(tree, new Removal());
        } catch (IOException e) {
            // Another process removes it too, or this user lacks permission. Nothing relies on its
            // absence.
        }
    }

    private static final class Removal extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            try {
                // Files cannot be removed from a directory without write permission.
                Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
            } catch (IOException e) {
                // Another user's directory. Removing its files shows whether that matters.
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) {
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure) throws IOException {
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
