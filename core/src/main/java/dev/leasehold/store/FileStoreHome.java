package dev.leasehold.store;

import dev.leasehold.internal.disk.Disk;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreMissingException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.Ids;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The directory of a file store: its id, and where its parts are.
 *
 * @param place by which the directory is recognized while it is in use
 */
record FileStoreHome(Path root, StoreId id, Path leases, Path register, AtomicReference<Object> place) {
    private static final String LEASES = "leases";
    private static final String REGISTER = "register";
    private static final Object NOWHERE = new Object();
    private static final Object ANYWHERE = new Object();
    /** Marks a directory that is being filled with the content of another store. */
    static final String RECEIVING = ".leasehold-receiving";

    /** @throws StoreMissingException if there is no store in the directory */
    static FileStoreHome open(Path directory) {
        return FileStoreMarker.explained(directory, () -> {
            requireStore(directory);
            return read(directory);
        });
    }

    /** Opens the store in the directory, or creates one if the directory is empty or missing. */
    static FileStoreHome create(Path directory, Ids ids) {
        return FileStoreMarker.explained(directory, () -> {
            if (!FileStoreMarker.isIn(directory)) {
                createDirectory(directory);
                requireOurs(directory);
                createParts(directory);
                FileStoreMarker.create(directory, StoreId.of(ids.unique()), ids);
                syncParent(directory);
            }
            return read(directory);
        });
    }

    /** Declares a copy to be the store from now on. It keeps the id, so fences stay bound to it. */
    static FileStoreHome adopt(Path directory, Ids ids) {
        return FileStoreMarker.explained(directory, () -> {
            requireStore(directory);
            StoreId id = FileStoreMarker.read(directory).requireHere().id();
            requireWhole(directory);
            FileStoreMarker.replace(directory, id, null, ids);
            return read(directory);
        });
    }

    /** A store that was used has leases, and without them its tokens would start again. */
    private static void requireWhole(Path directory) throws IOException {
        Path leases = leasesIn(directory);
        Path register = directory.resolve(REGISTER);
        boolean whole = Disk.exists(leases)
                && Disk.exists(register)
                && (Disk.list(register).isEmpty() || !Disk.list(leases).isEmpty());
        if (!whole) {
            throw new StoreUnavailableException(
                    "only a part of the store is in " + directory + ": without its leases and"
                            + " its register, its tokens would start again at 1. Nothing was changed. Copy or restore the whole"
                            + " directory. If the leases are lost, make a new store elsewhere with 'leasehold store init', and bind"
                            + " its targets to it with 'leasehold fence rebind'");
        }
    }

    static FileStoreHome at(Path directory, StoreId id) throws IOException {
        Path root = directory.toRealPath();
        return at(root, id, leasesIn(root), root.resolve(REGISTER));
    }

    /** For a store that comes or goes, whose parts are not in their place. */
    static FileStoreHome at(Path root, StoreId id, Path leases, Path register) {
        return new FileStoreHome(root, id, leases, register, new AtomicReference<>(ANYWHERE));
    }

    /**
     * Looks whether another directory has taken the place of the store since the last call. A copy
     * of the store that was put there would grant the same tokens again. True if it has, and it is
     * the store all the same.
     *
     * @throws StoreUnavailableException if it is a copy, or another store
     */
    boolean wasReplaced() throws IOException {
        Object before = place.get();
        Object found = ANYWHERE.equals(before) ? ANYWHERE : placeOf(leases);
        // If it is gone, the caller reports that.
        if (found.equals(NOWHERE) || found.equals(before)) {
            return false;
        }
        FileStoreMarker marker = FileStoreMarker.read(root).requireHere();
        if (!marker.id().equals(id)) {
            throw new StoreUnavailableException(
                    root + " was replaced by another store, " + marker.id() + "; nothing was done");
        }
        requireOriginal(root, marker, leases);
        place.set(found);
        return true;
    }

    private static Object placeOf(Path leases) {
        try {
            Object key = Files.readAttributes(leases, BasicFileAttributes.class).fileKey();
            return key == null ? NOWHERE : key;
        } catch (IOException e) {
            return NOWHERE;
        }
    }

    static Path leasesIn(Path directory) {
        return directory.resolve(LEASES);
    }

    private static FileStoreHome read(Path directory) throws IOException {
        FileStoreMarker marker = FileStoreMarker.read(directory).requireHere();
        FileStoreHome home = at(directory, marker.id());
        requireOriginal(directory, marker, home.leases);
        home.place.set(placeOf(home.leases));
        return home;
    }

    /** @throws StoreUnavailableException if the directory is a copy of a store */
    static void requireOriginal(Path directory, FileStoreMarker marker, Path leases) throws IOException {
        Inodes recorded = marker.inodes();
        Inodes found = recorded == null || !Disk.exists(leases)
                ? null
                : Inodes.of(directory.toRealPath().resolve(FileStoreMarker.FILE), leases);
        if (recorded != null && found != null && !found.areThoseOf(recorded)) {
            throw new StoreUnavailableException(directory
                    + " is a copy of a store: it was copied, restored from a backup, or is a folder that a program keeps in"
                    + " sync. Two copies grant the same token twice, so nothing was done. Use the original. If nobody uses"
                    + " the original any longer, run 'leasehold store adopt file:" + directory + "'");
        }
    }

    static void requireStore(Path directory) throws IOException {
        if (FileStoreMarker.isIn(directory)) {
            return;
        }
        if (Files.isSymbolicLink(directory) && !Disk.exists(directory)) {
            throw new StoreMissingException("there is no store in " + directory + ", which is a symbolic link to "
                    + Files.readSymbolicLink(directory)
                    + ", and that does not exist; nothing was created. Mount what it leads to, or correct the link");
        }
        String found = "does not exist";
        if (Disk.exists(directory)) {
            requireOurs(directory);
            found = "is empty";
        } else {
            requireNoFileAbove(directory);
        }
        throw new StoreMissingException("there is no store in " + directory + ", which " + found
                + "; nothing was created. If the store is on a share or on another disk, mount it. To make a new store"
                + " here, run 'leasehold store init file:" + directory + "'");
    }

    /** A newer JDK says of a path below a file that it does not exist, which would suggest to create it. */
    private static void requireNoFileAbove(Path directory) throws IOException {
        Path above = directory.getParent();
        while (above != null && !Disk.exists(above)) {
            above = above.getParent();
        }
        if (above != null && !Files.isDirectory(above)) {
            throw new FileSystemException(directory.toString(), null, "Not a directory");
        }
    }

    static void createParts(Path directory) throws IOException {
        Files.createDirectories(leasesIn(directory));
        Files.createDirectories(directory.resolve(REGISTER));
    }

    static void createDirectory(Path directory) throws IOException {
        try {
            Files.createDirectories(directory);
        } catch (NoSuchFileException e) {
            // A file system such as /proc answers that the new directory does not exist.
            throw new StoreUnavailableException(
                    "the store cannot be used: the directory " + directory + " cannot be created, because the file"
                            + " system there does not allow new directories. Choose another directory",
                    e);
        }
    }

    /** A user without permission to list a directory cannot sync it. */
    static void syncParent(Path directory) throws IOException {
        Path parent = directory.toAbsolutePath().getParent();
        if (parent == null) {
            return;
        }
        try {
            Disk.syncDirectory(parent);
        } catch (AccessDeniedException e) {
            // Another user created the directory, and is responsible for its durability.
        }
    }

    /** Refuses a directory that contains other files, and one that contains leases but no id. */
    private static void requireOurs(Path directory) throws IOException {
        if (Disk.exists(directory.resolve(RECEIVING)) && !FileStoreMarker.isIn(directory)) {
            throw new StoreUnavailableException(directory + " is being filled by 'leasehold store migrate'; nothing was"
                    + " changed. Wait until it has ended. If it was interrupted, repeat it, or remove this directory if the"
                    + " store was moved elsewhere");
        }
        try {
            for (Path entry : Disk.list(directory)) {
                String name = String.valueOf(entry.getFileName());
                boolean grants = name.equals(LEASES) && !Disk.list(entry).isEmpty();
                if ((grants || isForeign(name)) && !FileStoreMarker.isIn(directory)) {
                    throw new StoreUnavailableException(directory
                            + (grants
                                    ? " holds leases but its file " + FileStoreMarker.FILE
                                            + " is missing: restore it from a backup"
                                    : " is not empty and not a Leasehold store: choose another directory"));
                }
            }
        } catch (NoSuchFileException e) {
            throw new StoreUnavailableException(
                    "the store's directory " + directory + " was removed while it was opened", e);
        }
    }

    /** Whether a file of this name belongs to somebody else. */
    static boolean isForeign(String name) {
        return !name.startsWith(".")
                && !name.equals(LEASES)
                && !name.equals(REGISTER)
                && !name.equals(FileStoreMarker.FILE);
    }
}
