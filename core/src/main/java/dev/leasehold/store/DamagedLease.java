package dev.leasehold.store;

import dev.leasehold.internal.disk.Disk;
import dev.leasehold.spi.Ids;
import dev.leasehold.spi.Intervention;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The files of a name that cannot be read. An operator who lifts the counter sets them aside, so
 * that the name can be used again. Nothing is deleted.
 */
final class DamagedLease {
    /** For messages; the operator knows the name. */
    static final String REMEDY = "restore it from a backup, or set it aside with 'leasehold repair NAME --above N"
            + " --reason S', where N is the highest token that was ever given out ('leasehold fence show TARGET'"
            + " shows what a target has seen)";

    private static final String ASIDE = "damaged";

    private DamagedLease() {}

    /**
     * Sets the directory of the name aside.
     *
     * @param root the directory of the store
     * @return the same move, above every token that the names of the files still show
     */
    static Intervention setAside(Path root, Path directory, Intervention move, Ids ids) throws IOException {
        long highest = Math.max(move.above(), GrantFiles.highestNamed(directory));
        Path aside = root.resolve(ASIDE);
        Files.createDirectories(aside);
        Path to = aside.resolve(directory.getFileName() + "-" + ids.unique());
        Files.move(directory, to, StandardCopyOption.ATOMIC_MOVE);
        Disk.syncDirectory(aside);
        return new Intervention(
                move.kind(),
                move.name(),
                move.attempt(),
                move.holder(),
                move.ttl(),
                highest,
                move.reason(),
                move.seen());
    }
}
