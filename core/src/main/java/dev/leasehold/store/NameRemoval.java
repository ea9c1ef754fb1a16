package dev.leasehold.store;

import dev.leasehold.internal.LeaseRules;
import dev.leasehold.internal.disk.Disk;
import dev.leasehold.internal.disk.TwoCopyFile;
import dev.leasehold.model.Forgetting;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.spi.ForgetRequest;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/**
 * Forgets a name of a file store. Under the lock of its state:
 *
 * <ol>
 *   <li>The floor rises to its token.
 *   <li>The state is replaced by a mark. From now on the name counts as new.
 *   <li>The grants are removed, then the state, then the directory.
 * </ol>
 *
 * <p>A process that waited for the lock of a state which was removed finds the mark, and opens the state again by its
 * path. If a removal was interrupted, the next process that wants the name goes on with it.
 *
 * <p>The caller has the lock of the {@link FloorFiles}, so nobody else removes a state between the moment at which it is
 * opened and the moment at which it is locked.
 */
final class NameRemoval {
    /** A stopped process may have the lock of a name. Then the name stays. */
    private static final Duration WAIT = Duration.ofMillis(250);

    private final Path directory;
    private final Path stateFile;
    private final FloorFiles floor;

    NameRemoval(Path directory, FloorFiles floor) {
        this.directory = directory;
        this.stateFile = directory.resolve(FileLeaseStore.STATE);
        this.floor = floor;
    }

    Forgetting forget(ForgetRequest request) throws IOException {
        try (TwoCopyFile state = open()) {
            GrantFiles grants = GrantFiles.list(directory);
            LeaseRecord record = grants.current(request.name(), state.text(), stateFile);
            if (record == null) {
                finish(state);
                return Forgetting.ABSENT;
            }
            if (!LeaseRules.mayForget(record, request.seen(), state.openedAt())) {
                return Forgetting.KEPT;
            }
            floor.raise(request.seen().value());
            state.replace(RecordText.forgotten(request.seen()));
            remove(request.seen().value());
            return Forgetting.FORGOTTEN;
        } catch (NoSuchFileException e) {
            return Forgetting.ABSENT;
        } catch (TwoCopyFile.LockedException
                | TwoCopyFile.LostLockException
                | TwoCopyFile.CorruptException
                | StoreCorruptException e) {
            return Forgetting.KEPT;
        }
    }

    /** Goes on with a removal that was interrupted. */
    void finish() throws IOException {
        try (TwoCopyFile state = open()) {
            finish(state);
        } catch (NoSuchFileException | TwoCopyFile.LockedException e) {
            // Another process or thread has finished it, or uses the name. The caller looks again.
        }
    }

    private TwoCopyFile open() throws IOException {
        return TwoCopyFile.open(stateFile, TwoCopyFile.Size.SMALL, "forgetting names", WAIT);
    }

    private void finish(TwoCopyFile state) throws IOException {
        if (RecordText.isForgotten(state.text())) {
            remove(GrantFiles.parse(stateFile, state.text(), RecordText::forgottenToken));
        }
    }

    /** A grant that was made in spite of our lock stays, and so does the state: the grant outranks the mark. */
    private void remove(long token) throws IOException {
        GrantFiles.list(directory).removeUpTo(token);
        Disk.deleteQuietly(directory.resolve(FileWatch.WAKE));
        // Grants without a state would look like damage.
        Disk.syncDirectory(directory);
        if (GrantFiles.list(directory).highest() > 0) {
            return;
        }
        Files.deleteIfExists(stateFile);
        try {
            Files.deleteIfExists(directory);
        } catch (DirectoryNotEmptyException e) {
            // Another process asks for the name, or waits for it.
        }
    }

    /** Removes a name without its token being kept. */
    static boolean erase(Path directory) throws IOException {
        try {
            List<Path> files = Disk.list(directory);
            // The grants first: a state without grants means a name that was never leased, grants
            // without a state mean damage.
            files.sort(Comparator.naturalOrder());
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(directory);
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }
}
