package dev.leasehold.fence;

import dev.leasehold.internal.Sha256;
import dev.leasehold.internal.disk.Disk;
import dev.leasehold.internal.disk.ParallelWork;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Copies a tree durably. Every file is synced. Many files are copied by several threads, because
 * the file system then commits several syncs at once, which is several times faster.
 */
final class TreeCopy {
    private static final int BUFFER = 64 * 1024;
    private static final long MOST_AT_ONCE = 1L << 30;
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rwx------");

    private final Path from;
    private final Path to;
    private final boolean withDigest;
    private final LongConsumer progress;
    private final AtomicLong copied = new AtomicLong();
    private final List<Path> directories = new ArrayList<>();
    private final List<Path> files = new ArrayList<>();

    /** A description of each entry by its path, for the digest of the tree. */
    private final Map<String, String> digests = Collections.synchronizedMap(new TreeMap<>());

    TreeCopy(Path from, Path to, boolean withDigest, LongConsumer progress) {
        this.progress = progress;
        this.from = from;
        this.to = to;
        this.withDigest = withDigest;
    }

    /**
     * Copies the tree and returns the digest of paths, kinds, modes and contents; empty if
     * none was requested.
     */
    String run() throws IOException {
        // Private until every entry has its mode, so that no other user can read it too early.
        Files.createDirectory(to, PosixFilePermissions.asFileAttribute(PRIVATE));
        Files.walkFileTree(from, new Walk());
        ParallelWork.forEach(files, this::copyFile);
        Collections.reverse(directories);
        for (Path directory : directories) {
            finish(directory);
        }
        return withDigest ? digestOfAll() : "";
    }

    /** Creates directories and links, and collects the files. */
    private final class Walk extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult preVisitDirectory(Path found, BasicFileAttributes attributes) throws IOException {
            Path directory = from.relativize(found);
            if (!found.equals(from)) {
                Files.createDirectory(at(directory), PosixFilePermissions.asFileAttribute(PRIVATE));
            }
            directories.add(directory);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path found, BasicFileAttributes attributes) throws IOException {
            Path entry = from.relativize(found);
            if (attributes.isSymbolicLink()) {
                copyLink(entry);
            } else if (attributes.isRegularFile()) {
                files.add(entry);
            } else {
                throw new IllegalArgumentException(found + " is neither a file nor a directory nor a link: nothing was"
                        + " published. Remove it from the tree");
            }
            return FileVisitResult.CONTINUE;
        }
    }

    private void copyLink(Path entry) throws IOException {
        Path leadsTo = Files.readSymbolicLink(from.resolve(entry));
        if (!leadsTo.isAbsolute() && entry.resolveSibling(leadsTo).normalize().startsWith("..")) {
            throw new IllegalArgumentException(from.resolve(entry) + " is a link that leads out of the tree, to "
                    + leadsTo + ": nothing was published, because it would point elsewhere from the new location."
                    + " Make it absolute, or remove it");
        }
        Files.createSymbolicLink(at(entry), leadsTo);
        note(entry, "link " + leadsTo);
    }

    private void copyFile(Path entry) throws IOException {
        Path source = from.resolve(entry);
        Path copy = at(entry);
        PosixFileAttributes attributes =
                Files.readAttributes(source, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        try (FileChannel in = FileChannel.open(source, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
                FileChannel out =
                        Disk.createNew(copy, PosixFilePermissions.asFileAttribute(attributes.permissions()))) {
            if (withDigest) {
                note(entry, "file " + mode(attributes) + " " + pump(in, out));
            } else {
                transfer(in, out);
            }
            giveAttributes(copy, attributes);
            out.force(true);
        }
        progress.accept(copied.incrementAndGet());
    }

    private static void transfer(FileChannel in, FileChannel out) throws IOException {
        long at = 0;
        for (long moved = 1; moved > 0; at += moved) {
            moved = in.transferTo(at, MOST_AT_ONCE, out);
        }
    }

    private static String pump(FileChannel in, FileChannel out) throws IOException {
        MessageDigest sha = Sha256.digest();
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
        while (in.read(buffer.clear()) >= 0) {
            sha.update(buffer.flip());
            buffer.rewind();
            while (buffer.hasRemaining()) {
                out.write(buffer);
            }
        }
        return HexFormat.of().formatHex(sha.digest());
    }

    /**
     * Sets the attributes of a directory after its entries are copied: copying changes its time and
     * needs write permission.
     */
    private void finish(Path directory) throws IOException {
        PosixFileAttributes attributes = Files.readAttributes(from.resolve(directory), PosixFileAttributes.class);
        try (FileChannel channel = FileChannel.open(at(directory), StandardOpenOption.READ)) {
            giveAttributes(at(directory), attributes);
            channel.force(true);
        }
        note(directory, "directory " + mode(attributes));
    }

    private static void giveAttributes(Path copy, PosixFileAttributes attributes) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(copy, PosixFileAttributeView.class);
        view.setTimes(attributes.lastModifiedTime(), null, null);
        // Last, because it may remove our own write permission. Needed at all, because the umask
        // may have cleared bits.
        view.setPermissions(attributes.permissions());
    }

    private Path at(Path entry) {
        return to.resolve(entry);
    }

    private void note(Path entry, String what) {
        if (withDigest) {
            digests.put(entry.toString(), what);
        }
    }

    private static String mode(PosixFileAttributes attributes) {
        return PosixFilePermissions.toString(attributes.permissions());
    }

    private String digestOfAll() {
        MessageDigest sha = Sha256.digest();
        digests.forEach((entry, what) -> {
            sha.update((entry + '\0' + what + '\0').getBytes(StandardCharsets.UTF_8));
        });
        return HexFormat.of().formatHex(sha.digest());
    }
}
