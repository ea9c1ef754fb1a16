package dev.leasehold.cli.store;

import dev.leasehold.cli.args.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Recognizes folders that a program copies between machines. Each machine has its own copy there, so
 * leases in such a folder exclude nobody on another machine.
 */
final class SyncedFolders {
    /** The beginnings of folder names, in lower case. */
    private static final List<String> NAMES = List.of(
            "dropbox",
            "onedrive",
            "google drive",
            "googledrive",
            "my drive",
            "icloud",
            "mobile documents",
            "cloudstorage",
            "nextcloud",
            "owncloud",
            "pclouddrive",
            "box sync",
            "syncthing",
            "seafile",
            "resilio");

    /** Files that such programs keep in the folders they copy. */
    private static final List<String> MARKS =
            List.of(".stfolder", ".dropbox", ".dropbox.cache", ".sync", ".nextcloudsync.log", ".seafile-data");

    private SyncedFolders() {}

    /** @throws UsageException if the directory, or one above it, looks like a synced folder */
    static void refuse(Path directory) {
        for (Path at = directory; at != null; at = at.getParent()) {
            String name = String.valueOf(at.getFileName()).toLowerCase(Locale.ROOT);
            if (NAMES.stream().anyMatch(name::startsWith) || hasMark(at)) {
                throw new UsageException(
                        at + " looks like a folder that a program keeps in sync. Each machine would have"
                                + " its own copy of the store, and both would grant the same lease. Nothing was created. Use a"
                                + " mounted share or a database, or add --allow-synced if only this machine uses the store");
            }
        }
    }

    private static boolean hasMark(Path folder) {
        return MARKS.stream().anyMatch(mark -> Files.exists(folder.resolve(mark)));
    }
}
