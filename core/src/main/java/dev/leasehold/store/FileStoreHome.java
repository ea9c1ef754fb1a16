package dev.leasehold.store;

import dev.leasehold.internal.Fields;
import dev.leasehold.internal.disk.Disk;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.Ids;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The directory of a file store: its id, and where its parts are. */
record FileStoreHome(Path root, StoreId id) {
    private static final String MARKER = "leasehold-store";
    private static final String HEADER = "leasehold file store 1";

    static FileStoreHome open(Path directory, Ids ids) {
        try {
            Path marker = directory.resolve(MARKER);
            if (!Disk.exists(marker)) {
                make(directory, marker, ids);
            }
            Path root = directory.toRealPath();
            String text = new String(Files.readAllBytes(marker), StandardCharsets.UTF_8);
            return new FileStoreHome(root, StoreId.of(Fields.parse(HEADER, text).require("id")));
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

    Path leases() {
        return root.resolve("leases");
    }

    Path register() {
        return root.resolve("register");
    }

    private static void make(Path directory, Path marker, Ids ids) throws IOException {
        create(directory);
        requireOurs(directory, marker);
        Files.createDirectories(directory.resolve("leases"));
        Files.createDirectories(directory.resolve("register"));
        // Written to a temporary file and linked, so that two processes that create the store at
        // once read the same id.
        Path staging = directory.resolve("." + MARKER + "-" + ids.unique());
        try {
            String text = Fields.withChecksum(
                    new Fields(HEADER).put("id", ids.unique()).format());
            Files.writeString(staging, text, StandardOpenOption.CREATE_NEW, StandardOpenOption.SYNC);
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

    private static void create(Path directory) throws IOException {
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
