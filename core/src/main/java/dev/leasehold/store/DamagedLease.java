package dev.leasehold.store;

import dev.leasehold.internal.Step;
import dev.leasehold.internal.Transition;
import dev.leasehold.internal.disk.Disk;
import dev.leasehold.internal.disk.TwoCopyFile;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.Ids;
import dev.leasehold.spi.Intervention;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * The files of a name that cannot be read. An operator who lifts the counter sets them aside, so
 * that the name can be used again. Nothing is deleted.
 *
 * <p>The new grant comes first. Until the state is replaced, the last step, the name stays refused;
 * if the repair is interrupted, it is repeated.
 */
final class DamagedLease {
    /** For messages; the operator knows the name. */
    static final String SET_ASIDE = "set it aside with 'leasehold repair NAME --above N --reason S', where N is the"
            + " highest token that was ever given out ('leasehold fence show TARGET' shows what a target has seen)";

    static final String REMEDY = "restore it from a backup, or " + SET_ASIDE;

    private static final String ASIDE = "damaged";
    private static final int MAX_TRIES = 8;

    private final Path root;
    private final Path directory;
    private final Path stateFile;
    private final Ids ids;
    private final long floor;

    DamagedLease(Path root, Path directory, Path stateFile, Ids ids, long floor) {
        this.root = root;
        this.directory = directory;
        this.stateFile = stateFile;
        this.ids = ids;
        this.floor = floor;
    }

    /** Makes the move, above every token that the names of the files still show. */
    <T> T mend(Intervention move, Function<Intervention, Transition<T>> rules) throws IOException {
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            Intervention lifted = move.liftedAbove(GrantFiles.highestNamed(directory));
            Path aside = root.resolve(ASIDE).resolve(directory.getFileName() + "-" + ids.unique());
            Files.createDirectories(aside);
            Step<T> step = rules.apply(lifted).decide(null, floor, now(aside));
            LeaseRecord record = Objects.requireNonNull(step.write());
            if (GrantFiles.link(directory, record, ids)) {
                setAside(aside);
                replaceState(record, aside);
                return step.answer();
            }
        }
        throw new StoreUnavailableException(
                "other processes write to " + directory + "; nothing was changed, try again");
    }

    /** By the clock of the file system. */
    private static Instant now(Path created) throws IOException {
        return Files.getLastModifiedTime(created).toInstant();
    }

    /** Moves the grants that cannot be read, so that the history can be. */
    private void setAside(Path aside) throws IOException {
        for (Path grant : GrantFiles.unreadable(directory)) {
            Files.move(grant, aside.resolve(grant.getFileName()), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private void replaceState(LeaseRecord record, Path aside) throws IOException {
        Path next = directory.resolve(GrantFiles.NEW_STATE + ids.unique());
        TwoCopyFile.create(
                next,
                TwoCopyFile.Size.SMALL,
                RecordText.format(record, List.of()),
                directory.resolve(GrantFiles.NEW_STATE + ids.unique()),
                TwoCopyFile.Preparation.NONE);
        try {
            Files.copy(stateFile, aside.resolve(stateFile.getFileName()));
        } catch (NoSuchFileException e) {
            // The state was what is missing.
        }
        Files.move(next, stateFile, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        Disk.syncDirectory(directory);
    }
}
