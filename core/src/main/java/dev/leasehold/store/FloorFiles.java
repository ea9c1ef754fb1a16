package dev.leasehold.store;

import dev.leasehold.internal.disk.Disk;
import dev.leasehold.internal.disk.Trees;
import dev.leasehold.internal.disk.TwoCopyFile;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.spi.Ids;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;

/**
 * The floor of a file store, see {@link dev.leasehold.spi.LeaseStore#floor}: the highest number in the names of empty
 * files {@code f-<token>}, so that it can be read without a lock. Only the process that has the lock beside them
 * raises the floor and removes names. The directory is made with its first floor, so it is never empty.
 */
final class FloorFiles {
    static final String DIRECTORY = "floor";
    private static final String LOCK = "lock";
    private static final String FLOOR = "f-";
    private static final int MAX_TRIES = 8;

    private final Path leases;
    private final Path directory;
    private final Ids ids;

    /** The highest floor that is known to be durable. */
    private volatile long durable;

    FloorFiles(Path leases, Ids ids) {
        this.leases = leases;
        this.directory = leases.resolve(DIRECTORY);
        this.ids = ids;
    }

    /** The floor; zero if no name was ever forgotten. */
    long read() throws IOException {
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            long highest = -1;
            try {
                for (Path file : Disk.list(directory, FLOOR)) {
                    highest = Math.max(highest, number(file));
                }
            } catch (NoSuchFileException e) {
                return 0;
            }
            // A listing may miss a file that was just created, together with the one that was then removed.
            if (highest >= 0) {
                return highest;
            }
        }
        throw new StoreCorruptException(directory + " is damaged: it contains no floor, so a new name could get a token"
                + " that a forgotten name had. Nothing was changed; restore it from a backup");
    }

    private static long number(Path file) {
        String name = String.valueOf(file.getFileName());
        try {
            return Long.parseLong(name.substring(FLOOR.length()));
        } catch (NumberFormatException e) {
            throw new StoreCorruptException(
                    file + " has the prefix of a floor but is none. Nothing was changed; find out where it comes from,"
                            + " and remove it",
                    e);
        }
    }

    /** Another directory may have taken the place of this one. */
    void distrust() {
        durable = 0;
    }

    /** The turn to forget names. To be closed. */
    TwoCopyFile lock(Duration wait) throws IOException {
        if (!Disk.exists(directory)) {
            make();
        }
        return TwoCopyFile.open(directory.resolve(LOCK), TwoCopyFile.Size.SMALL, "forgetting names", wait);
    }

    private void make() throws IOException {
        Path staging = leases.resolve("tmp-" + ids.unique());
        Files.createDirectory(staging);
        try {
            Files.createFile(staging.resolve(name(0)));
            TwoCopyFile.create(
                    staging.resolve(LOCK),
                    TwoCopyFile.Size.SMALL,
                    "",
                    staging.resolve(LOCK + ids.unique()),
                    TwoCopyFile.Preparation.NONE);
            Files.move(staging, directory, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            if (!Disk.exists(directory)) {
                throw e;
            }
            // Another process was faster.
            Trees.delete(staging);
        }
        Disk.syncDirectory(leases);
    }

    /** Raises the floor durably. The caller has the lock. */
    void raise(long token) throws IOException {
        if (token <= durable) {
            return;
        }
        long before = read();
        try {
            Files.createFile(directory.resolve(name(Math.max(before, token))));
        } catch (FileAlreadyExistsException e) {
            // The process that created it may have died before it synced the name.
        }
        Disk.syncDirectory(directory);
        Disk.syncDirectory(leases);
        durable = Math.max(before, token);
        for (Path file : Disk.list(directory, FLOOR)) {
            if (number(file) < durable) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static String name(long token) {
        String digits = Long.toString(token);
        return FLOOR + "0".repeat(20 - digits.length()) + digits;
    }
}
