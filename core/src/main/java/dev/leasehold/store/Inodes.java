package dev.leasehold.store;

import dev.leasehold.internal.Words;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The inode numbers of a store's marker and of its directory of leases. A copy has other numbers;
 * the same store has the same numbers on every host that mounts it. A copy of the whole file system,
 * such as a cloned disk image, cannot be told apart.
 */
record Inodes(long marker, long leases) {
    private static final Set<String> STABLE = Set.of(
            "ext2", "ext3", "ext4", "xfs", "btrfs", "zfs", "f2fs", "jfs", "tmpfs", "nfs", "nfs4", "apfs", "hfs", "ufs");

    /** Whether the file system keeps the inode numbers of its files, and other hosts see the same. */
    static boolean areStable(Path directory) throws IOException {
        return directory.getFileSystem() == FileSystems.getDefault()
                && STABLE.contains(Files.getFileStore(directory).type().toLowerCase(Locale.ROOT));
    }

    /** Null on a system without inodes. */
    static @Nullable Inodes of(Path marker, Path leases) throws IOException {
        try {
            return new Inodes(number(marker), number(leases));
        } catch (UnsupportedOperationException | IllegalArgumentException e) {
            return null;
        }
    }

    private static long number(Path file) throws IOException {
        return ((Number) Files.getAttribute(file, "unix:ino")).longValue();
    }

    /** Not the generated equals, which is linked at its first use and noticeably slows start-up. */
    boolean areThoseOf(Inodes other) {
        return marker == other.marker && leases == other.leases;
    }

    /** @throws IllegalArgumentException if the text is damaged */
    static Inodes parse(String text) {
        Words words = new Words("the line of the inode numbers", text);
        Inodes inodes = new Inodes(words.number(), words.number());
        if (words.left() > 0) {
            throw new IllegalArgumentException("the line of the inode numbers is too long");
        }
        return inodes;
    }

    @Override
    public String toString() {
        return Words.join(marker, leases);
    }
}
