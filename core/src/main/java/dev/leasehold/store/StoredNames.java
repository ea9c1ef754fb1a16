package dev.leasehold.store;

import dev.leasehold.internal.disk.Disk;
import dev.leasehold.internal.disk.FileNames;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreCorruptException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** The names in the directory of a file store's leases. */
final class StoredNames {
    private StoredNames() {}

    /** As {@link dev.leasehold.spi.LeaseStore#names}. */
    static List<LeaseName> page(Path leases, String prefix, String after, int limit) throws IOException {
        TreeSet<LeaseName> found = new TreeSet<>();
        for (Path directory : Disk.list(leases)) {
            nameOf(directory)
                    .filter(name ->
                            name.value().startsWith(prefix) && name.value().compareTo(after) > 0)
                    .ifPresent(found::add);
        }
        List<LeaseName> names = new ArrayList<>(found);
        return names.subList(0, Math.min(limit, names.size()));
    }

    /** If the records cannot be read, the name of the directory says whose they are, unless it is cut. */
    private static Optional<LeaseName> nameOf(Path directory) throws IOException {
        try {
            return nameIn(directory);
        } catch (StoreCorruptException e) {
            String file = directory.getFileName().toString();
            Optional<String> name = FileNames.isWhole(file) ? FileNames.decode(file) : Optional.empty();
            return Optional.of(LeaseName.of(name.orElseThrow(() -> e)));
        }
    }

    private static Optional<LeaseName> nameIn(Path directory) throws IOException {
        try {
            GrantFiles grants = GrantFiles.list(directory);
            return grants.highest() == 0
                    ? Optional.empty()
                    : Optional.of(grants.read(grants.highest()).name());
        } catch (NotDirectoryException e) {
            // Not a lease: something else was put into the directory.
            return Optional.empty();
        } catch (NoSuchFileException e) {
            if (Disk.exists(directory)) {
                throw e;
            }
            // A scratch name that was just removed.
            return Optional.empty();
        }
    }
}
