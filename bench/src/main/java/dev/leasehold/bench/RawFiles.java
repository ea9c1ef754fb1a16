package dev.leasehold.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** The cost of the file system alone. */
final class RawFiles {
    private RawFiles() {}

    static void replace(Path file, byte[] content) throws IOException {
        Path staged = file.resolveSibling(file.getFileName() + ".tmp");
        write(staged, content, 0, StandardOpenOption.CREATE_NEW);
        Files.move(staged, file, StandardCopyOption.ATOMIC_MOVE);
        syncDirectory(file);
    }

    static void link(Path file, byte[] content) throws IOException {
        Path staged = file.resolveSibling(file.getFileName() + ".tmp");
        write(staged, content, 0, StandardOpenOption.CREATE_NEW);
        Files.createLink(file, staged);
        Files.delete(staged);
        syncDirectory(file);
    }

    static void overwrite(Path file, byte[] content, long position) throws IOException {
        write(file, content, position, StandardOpenOption.CREATE);
    }

    private static void write(Path file, byte[] content, long position, StandardOpenOption open) throws IOException {
        try (FileChannel channel = FileChannel.open(file, open, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(content), position);
            channel.force(open == StandardOpenOption.CREATE_NEW);
        }
    }

    private static void syncDirectory(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
