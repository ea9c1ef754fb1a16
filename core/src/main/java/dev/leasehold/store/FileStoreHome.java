package dev.leasehold.store;

import dev.leasehold.internal.Fields;
import dev.leasehold.internal.disk.Disk;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreMissingException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.Ids;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** The directory of a file store: its id, and where its parts are. */
record FileStoreHome(Path root, StoreId id) {
    private static final String MARKER = "leasehold-store";
    private static final String HEADER = "leasehold file store 1";

    /** @throws StoreMissingException if there is no store in the directory */
    static FileStoreHome open(Path directory) {
        return opening(directory, () -> {
            requireStore(directory);
            return read(directory);
        });
    }

    /** Opens the store in the directory, or creates one if the directory is empty or missing. */
    static FileStoreHome create(Path directory, Ids ids) {
        return opening(directory, () -> {
            if (!Disk.exists(directory.resolve(MARKER))) {
                make(directory, ids);
            }
            return read(directory);
        });
    }

    /** Declares a copy to be the store from now on. It keeps the id, so fences stay bound to it. */
    static FileStoreHome adopt(Path directory, Ids ids) {
        return opening(directory, () -> {
            requireStore(directory);
            Path marker = directory.resolve(MARKER);
            Path staging = staging(directory, ids);
            try {
                stage(staging, fields(marker).require("id"), directory);
                Files.move(staging, marker, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(staging);
            }
            Disk.syncDirectory(directory);
            return read(directory);
        });
    }

    @FunctionalInterface
    private interface Opening {
        FileStoreHome open() throws IOException;
    }

    private static FileStoreHome opening(Path directory, Opening opening) {
        try {
            return opening.open();
        } catch (IllegalArgumentException e) {
            throw new StoreCorruptException(
                    "the file " + directory.resolve(MARKER) + " is damaged: " + e.getMessage()
                            + ". Nothing was changed; restore it from a backup",
                    e);
        } catch (FileAlreadyExistsException e) {
            throw new StoreUnavailableException(
                    "the store cannot be used: " + e.getFile()
                            + " is not a directory; choose a directory, or a path where one can be created",
                    e);
        } catch (IOException e) {
            throw FileLeaseStore.unavailable(e, directory);
        }
    }

    private static FileStoreHome read(Path directory) throws IOException {
        Path root = directory.toRealPath();
        Path marker = root.resolve(MARKER);
        Fields fields = fields(marker);
        FileStoreHome home = new FileStoreHome(root, StoreId.of(fields.require("id")));
        Inodes recorded = fields.optional("inodes", Inodes::parse);
        Inodes found = recorded == null ? null : Inodes.of(marker, home.leases());
        if (recorded != null && found != null && !found.areThoseOf(recorded)) {
            throw new StoreUnavailableException(directory
                    + " is a copy of a store: it was copied, restored from a backup, or is a folder that a program keeps in"
                    + " sync. Two copies grant the same token twice, so nothing was done. Use the original. If nobody uses"
                    + " the original any longer, run 'leasehold store adopt file:" + directory + "'");
        }
        return home;
    }

    private static Fields fields(Path marker) throws IOException {
        return Fields.parse(HEADER, new String(Files.readAllBytes(marker), StandardCharsets.UTF_8));
    }

    private static void requireStore(Path directory) throws IOException {
        if (Disk.exists(directory.resolve(MARKER))) {
            return;
        }
        String found = "does not exist";
        if (Disk.exists(directory)) {
            requireOurs(directory, directory.resolve(MARKER));
            found = "is empty";
        }
        throw new StoreMissingException("there is no store in " + directory + ", which " + found
                + "; nothing was created. If the store is on a share or on another disk, mount it. To make a new store"
                + " here, run 'leasehold store init file:" + directory + "'");
    }

    Path leases() {
        return root.resolve("leases");
    }

    Path register() {
        return root.resolve("register");
    }

    private static void make(Path directory, Ids ids) throws IOException {
        Path marker = directory.resolve(MARKER);
        createDirectory(directory);
        requireOurs(directory, marker);
        Files.createDirectories(directory.resolve("leases"));
        Files.createDirectories(directory.resolve("register"));
        // Written to a temporary file and linked, so that two processes that create the store at
        // once read the same id.
        Path staging = staging(directory, ids);
        try {
            stage(staging, ids.unique(), directory);
            Files.createLink(marker, staging);
        } catch (FileAlreadyExistsException e) {
            if (!Disk.exists(marker)) {
                throw e;
            }
        } finally {
            Files.deleteIfExists(staging);
        }
        Disk.syncDirectory(directory);
        Path parent = directory.toAbsolutePath().getParent();
        if (parent != null) {
            syncIfReadable(parent);
        }
    }

    private static Path staging(Path directory, Ids ids) {
        return directory.resolve("." + MARKER + "-" + ids.unique());
    }

    /** Writes a marker that names its own inode, which it keeps when it is linked or moved into place. */
    private static void stage(Path staging, String id, Path directory) throws IOException {
        Files.createFile(staging);
        Inodes inodes = Inodes.areStable(directory) ? Inodes.of(staging, directory.resolve("leases")) : null;
        Fields fields = new Fields(HEADER).put("id", id).put("inodes", inodes);
        Files.writeString(
                staging, Fields.withChecksum(fields.format()), StandardOpenOption.WRITE, StandardOpenOption.SYNC);
    }

    private static void createDirectory(Path directory) throws IOException {
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
    private static void syncIfReadable(Path directory) throws IOException {
        try {
            Disk.syncDirectory(directory);
        } catch (AccessDeniedException e) {
            // Another user created the directory, and is responsible for its durability.
        }
    }

    /** Refuses a directory that contains other files, and one that contains leases but no id. */
    private static void requireOurs(Path directory, Path marker) throws IOException {
        try {
            for (Path entry : Disk.list(directory)) {
                String name = String.valueOf(entry.getFileName());
                boolean grants = name.equals("leases") && !Disk.list(entry).isEmpty();
                boolean foreign = !name.startsWith(".")
                        && !name.equals("leases")
                        && !name.equals("register")
                        && !name.equals(MARKER);
                if ((grants || foreign) && !Disk.exists(marker)) {
                    throw new StoreUnavailableException(directory
                            + (grants
                                    ? " holds leases but its file " + MARKER + " is missing: restore it from a backup"
                                    : " is not empty and not a Leasehold store: choose another directory"));
                }
            }
        } catch (NoSuchFileException e) {
            throw new StoreUnavailableException(
                    "the store's directory " + directory + " was removed while it was opened", e);
        }
    }
}
