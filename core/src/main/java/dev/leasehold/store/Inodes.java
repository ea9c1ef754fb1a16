package dev.leasehold.store;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The inode numbers of a store's marker and of its directory of leases. A copy has other numbers;
 * the same store has the same numbers on every host that mounts it. A copy of the whole file system,
 * such as a cloned disk image, cannot be told apart.
 */
final class Inodes {
    private static final Set<String> STABLE = Set.of(
            "ext2", "ext3", "ext4", "xfs", "btrfs", "zfs", "f2fs", "jfs", "tmpfs", "nfs", "nfs4", "apfs", "hfs", "ufs");

    private Inodes() {}

    /** Whether the file system keeps the inode numbers of its files, and other hosts see the same. */
    static boolean areStable(Path directory) throws IOException {
        return directory.getFileSystem() == FileSystems.getDefault()
                && STABLE.contains(Files.getFileStore(directory).type().toLowerCase(Locale.ROOT));
    }

    /** Empty on a system without inodes. */
    static Optional<String> of(Path marker, Path leases) throws IOException {
        try {
            return Optional.of(Files.getAttribute(marker, "unix:ino") + " " + Files.getAttribute(leases, "unix:ino"));
        } catch (UnsupportedOperationException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
