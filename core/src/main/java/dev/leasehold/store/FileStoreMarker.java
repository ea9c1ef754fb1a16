package dev.leasehold.store;

import dev.leasehold.internal.Fields;
import dev.leasehold.internal.MovedStore;
import dev.leasehold.internal.disk.Disk;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.Ids;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The file that makes a directory a store: the id of the store, and the inodes by which a copy is
 * recognized.
 *
 * @param moved where the store went; null if it is here
 * @param inodes null if the file system keeps none
 */
record FileStoreMarker(StoreId id, @Nullable MovedStore moved, @Nullable Inodes inodes) {
    static final String FILE = "leasehold-store";
    /** What the parts of a store that was moved have at the end of their names. */
    static final String DEPARTED = "-moved";

    private static final String HEADER = "leasehold file store 1";
    private static final String ID = "id";
    private static final String MOVED_TO = "moved-to";

    /** An access to the directory of a store. */
    @FunctionalInterface
    interface Access<T> {
        T run() throws IOException;
    }

    /** Runs an access and explains its failures. */
    static <T> T explained(Path directory, Access<T> access) {
        try {
            return access.run();
        } catch (IllegalArgumentException e) {
            throw new StoreCorruptException(
                    "the file " + directory.resolve(FILE) + " is damaged: " + e.getMessage()
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

    static boolean isIn(Path directory) throws IOException {
        return Disk.exists(directory.resolve(FILE));
    }

    static FileStoreMarker read(Path directory) throws IOException {
        String text = new String(Files.readAllBytes(directory.resolve(FILE)), StandardCharsets.UTF_8);
        Fields fields = Fields.parse(HEADER, text);
        String id = fields.require(ID);
        MovedStore moved = MovedStore.isMoved(id) ? MovedStore.of(id, fields.optional(MOVED_TO, to -> to)) : null;
        return new FileStoreMarker(
                moved == null ? StoreId.of(id) : moved.id(), moved, fields.optional("inodes", Inodes::parse));
    }

    /** @throws dev.leasehold.model.StoreMovedException if the store went elsewhere */
    FileStoreMarker requireHere() {
        if (moved != null) {
            throw moved.exception();
        }
        return this;
    }

    /**
     * Finds out why a part of a store that is in use is gone.
     *
     * @throws dev.leasehold.model.StoreMovedException if the store went elsewhere
     */
    static void requireHere(Path directory) {
        try {
            read(directory).requireHere();
        } catch (IOException | IllegalArgumentException e) {
            // The marker is gone too, or damaged: the caller reports what it has found.
        }
    }

    /**
     * Creates the marker. If another process is faster, its marker stays: two processes that create
     * the store at once read the same id.
     */
    static void create(Path directory, StoreId id, Ids ids) throws IOException {
        Path marker = directory.resolve(FILE);
        Path staging = staging(directory, ids);
        try {
            stage(staging, new Fields(HEADER).put(ID, id), directory);
            Files.createLink(marker, staging);
        } catch (FileAlreadyExistsException e) {
            if (!Disk.exists(marker)) {
                throw e;
            }
        } finally {
            Files.deleteIfExists(staging);
        }
        Disk.syncDirectory(directory);
    }

    static void replace(Path directory, StoreId id, @Nullable MovedStore moved, Ids ids) throws IOException {
        Fields fields = new Fields(HEADER)
                .put(ID, moved == null ? id : moved.text())
                .put(MOVED_TO, moved == null ? null : moved.to());
        Path staging = staging(directory, ids);
        try {
            stage(staging, fields, directory);
            Files.move(staging, directory.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(staging);
        }
        Disk.syncDirectory(directory);
    }

    private static Path staging(Path directory, Ids ids) {
        return directory.resolve("." + FILE + "-" + ids.unique());
    }

    /** Writes a marker that names its own inode, which it keeps when it is linked or moved into place. */
    private static void stage(Path staging, Fields fields, Path directory) throws IOException {
        Files.createFile(staging);
        Path here = FileStoreHome.leasesIn(directory);
        Path leases = Disk.exists(here) ? here : here.resolveSibling(here.getFileName() + DEPARTED);
        Inodes inodes = Inodes.areStable(directory) && Disk.exists(leases) ? Inodes.of(staging, leases) : null;
        Files.writeString(
                staging,
                Fields.withChecksum(fields.put("inodes", inodes).format()),
                StandardOpenOption.WRITE,
                StandardOpenOption.SYNC);
    }
}
