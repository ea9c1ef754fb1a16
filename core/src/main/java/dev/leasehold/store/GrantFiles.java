package dev.leasehold.store;

import dev.leasehold.internal.Fields;
import dev.leasehold.internal.disk.Disk;
import dev.leasehold.internal.disk.TwoCopyFile;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.Ids;
import dev.leasehold.spi.LeaseStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The grants of a name: immutable files {@code g-<token>}. The highest is the current grant, the
 * others are the history.
 */
final class GrantFiles {
    private static final String GRANT = "g-";
    private static final String STAGED = "t-";
    private static final int DIGITS = 20;

    /**
     * The prefix of a state file that is being created, without a lock because the file to lock
     * does not exist yet.
     */
    static final String NEW_STATE = "tmp-";

    private static final Duration NEW_STATE_KEPT = Duration.ofHours(1);

    private final Path directory;
    private final List<Long> tokens;
    private final List<Path> staged;

    private GrantFiles(Path directory, List<Long> tokens, List<Path> staged) {
        this.directory = directory;
        this.tokens = tokens;
        this.staged = staged;
    }

    /**
     * The grants that exist now.
     *
     * @throws NoSuchFileException if the name has no directory
     */
    static GrantFiles list(Path directory) throws IOException {
        List<Long> tokens = new ArrayList<>();
        List<Path> staged = new ArrayList<>();
        for (Path file : Disk.list(directory)) {
            String name = String.valueOf(file.getFileName());
            if (isGrant(name)) {
                tokens.add(token(name));
            } else if (name.startsWith(GRANT)) {
                throw new StoreCorruptException(file + " has the prefix of a grant but is not one. Nothing was changed;"
                        + " find out where it comes from, and remove it");
            } else if (name.startsWith(STAGED) || name.startsWith(NEW_STATE)) {
                staged.add(file);
            }
        }
        tokens.sort(Collections.reverseOrder());
        return new GrantFiles(directory, tokens, staged);
    }

    /** The highest token in the names of the files, some of which may be damaged; zero if there is none. */
    static long highestNamed(Path directory) throws IOException {
        long highest = 0;
        for (Path file : Disk.list(directory, GRANT)) {
            String name = String.valueOf(file.getFileName());
            highest = isGrant(name) ? Math.max(highest, token(name)) : highest;
        }
        return highest;
    }

    /** The files with the prefix of a grant that are none, or cannot be read. */
    static List<Path> unreadable(Path directory) throws IOException {
        GrantFiles grants = new GrantFiles(directory, List.of(), List.of());
        List<Path> found = new ArrayList<>();
        for (Path file : Disk.list(directory, GRANT)) {
            String name = String.valueOf(file.getFileName());
            try {
                if (isGrant(name)) {
                    grants.read(token(name));
                } else {
                    found.add(file);
                }
            } catch (StoreCorruptException e) {
                found.add(file);
            }
        }
        return found;
    }

    private static long token(String name) {
        return Long.parseLong(name, GRANT.length(), name.length(), 10);
    }

    private static boolean isGrant(String name) {
        boolean grant = name.startsWith(GRANT) && name.length() == GRANT.length() + DIGITS;
        // The first digit is 0: a long has at most 19.
        for (int i = GRANT.length(); grant && i < name.length(); i++) {
            grant = name.charAt(i) >= '0' && name.charAt(i) <= (i == GRANT.length() ? '0' : '9');
        }
        return grant;
    }

    /** The current token; zero if there is none. */
    long highest() {
        return tokens.isEmpty() ? 0 : tokens.get(0);
    }

    /**
     * The current record of a name.
     *
     * @param state the text of its state file, empty in a new one
     */
    @Nullable
    LeaseRecord current(LeaseName name, String state, Path stateFile) throws IOException {
        LeaseRecord current = current(state, stateFile);
        if (current != null && !current.name().equals(name)) {
            throw new StoreCorruptException(damaged(stateFile, "it belongs to the name " + current.name()));
        }
        return current;
    }

    private @Nullable LeaseRecord current(String state, Path stateFile) throws IOException {
        if (RecordText.isForgotten(state)) {
            long forgotten = parse(stateFile, state, RecordText::forgottenToken);
            return forgotten >= highest() ? null : read(highest());
        }
        LeaseRecord known = state.isEmpty() ? null : parse(stateFile, state);
        long stateToken = known == null ? 0 : known.token().value();
        if (stateToken > highest()) {
            throw new StoreCorruptException("the grant of token " + stateToken + " is missing beside " + stateFile
                    + ", so the token went backwards. Nothing was changed; " + DamagedLease.REMEDY);
        }
        return stateToken == highest() ? known : read(highest());
    }

    LeaseRecord read(long token) throws IOException {
        Path file = file(token);
        // Not readString, whose exception would not explain a damaged file.
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        LeaseRecord record = parse(file, text);
        if (record.token().value() != token) {
            throw new StoreCorruptException(damaged(file, "it contains token " + record.token()));
        }
        return record;
    }

    /**
     * Makes the record the current grant. The link is the commit point. It fails if the token
     * exists, which keeps tokens unique even if the lock was lost. Old grants are pruned, so an old
     * token could be linked again; therefore only a grant that is the highest after the link
     * counts. The highest grant is never removed, so no token is granted twice.
     *
     * @param state the file that the decision was based on
     * @return false if another process has issued this token or a higher one
     */
    boolean publish(LeaseRecord record, TwoCopyFile state, Ids ids) throws IOException {
        sweep(record.seen());
        Path temporary = directory.resolve(STAGED + ids.unique());
        try {
            write(temporary, Fields.withChecksum(RecordText.format(record, List.of())));
            state.requireUnchanged();
            Files.createLink(file(record.token().value()), temporary);
        } catch (FileAlreadyExistsException e) {
            return false;
        } catch (NoSuchFileException e) {
            // Another process also had the lock, and removed our staged file as a leftover.
            return false;
        } finally {
            Files.deleteIfExists(temporary);
        }
        GrantFiles now = list(directory);
        now.prune();
        Disk.syncDirectory(directory);
        return now.highest() == record.token().value();
    }

    /** Creates the state of a name, unless there is one. */
    static void createState(Path directory, String text, Ids ids) throws IOException {
        TwoCopyFile.create(
                directory.resolve(FileLeaseStore.STATE),
                TwoCopyFile.Size.SMALL,
                text,
                directory.resolve(NEW_STATE + ids.unique()),
                TwoCopyFile.Preparation.NONE);
    }

    /**
     * Writes the grants of a name that nobody uses yet.
     *
     * @param history newest first
     */
    static void put(Path directory, LeaseRecord record, List<Transfer> history) throws IOException {
        GrantFiles grants = new GrantFiles(directory, List.of(), List.of());
        for (Transfer transfer : history) {
            boolean owner = transfer.token().equals(record.token());
            LeaseRecord grant = owner
                    ? record
                    : new LeaseRecord(record.name(), transfer, transfer.at(), Duration.ZERO, true, transfer.at(), null);
            write(grants.file(transfer.token().value()), Fields.withChecksum(RecordText.format(grant, List.of())));
        }
        Disk.syncDirectory(directory);
    }

    /** Makes the record the highest grant of a name whose state cannot be read. False if its token exists. */
    static boolean link(Path directory, LeaseRecord record, Ids ids) throws IOException {
        GrantFiles grants = new GrantFiles(directory, List.of(), List.of());
        Path temporary = directory.resolve(STAGED + ids.unique());
        try {
            write(temporary, Fields.withChecksum(RecordText.format(record, List.of())));
            Files.createLink(grants.file(record.token().value()), temporary);
        } catch (FileAlreadyExistsException e) {
            return false;
        } finally {
            Files.deleteIfExists(temporary);
        }
        Disk.syncDirectory(directory);
        return true;
    }

    /**
     * Removes leftovers of dead processes. Staged grants are written under the lock; a new state
     * file is not, so it must be old.
     */
    private void sweep(Instant now) throws IOException {
        for (Path left : staged) {
            boolean newState = String.valueOf(left.getFileName()).startsWith(NEW_STATE);
            if (!newState || isOlder(left, now.minus(NEW_STATE_KEPT))) {
                Files.deleteIfExists(left);
            }
        }
    }

    private static boolean isOlder(Path file, Instant than) throws IOException {
        try {
            return Files.getLastModifiedTime(file).toInstant().isBefore(than);
        } catch (NoSuchFileException e) {
            // Its process has linked and removed it.
            return false;
        }
    }

    List<Transfer> newest(int limit) throws IOException {
        List<Transfer> transfers = new ArrayList<>();
        for (long token : tokens.subList(0, Math.min(limit, tokens.size()))) {
            try {
                transfers.add(read(token).owner());
            } catch (NoSuchFileException e) {
                // Pruned meanwhile. The remaining grants are older still.
                break;
            }
        }
        return transfers;
    }

    /** Removes the grants of a forgotten name, and what dead processes left. Higher grants stay. */
    void removeUpTo(long highest) throws IOException {
        for (Path left : staged) {
            // A new state is made without the lock, so its process may be alive.
            if (String.valueOf(left.getFileName()).startsWith(STAGED)) {
                Files.deleteIfExists(left);
            }
        }
        // The lowest first: what a crash leaves is the history of the current grant.
        for (int i = tokens.size() - 1; i >= 0; i--) {
            if (tokens.get(i) <= highest) {
                Files.deleteIfExists(file(tokens.get(i)));
            }
        }
    }

    private void prune() throws IOException {
        for (int i = LeaseStore.HISTORY_KEPT; i < tokens.size(); i++) {
            Files.deleteIfExists(file(tokens.get(i)));
        }
    }

    private Path file(long token) {
        String digits = Long.toString(token);
        return directory.resolve(GRANT + "0".repeat(DIGITS - digits.length()) + digits);
    }

    private static void write(Path file, String text) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }

    static LeaseRecord parse(Path file, String text) {
        return parse(file, text, RecordText::parse);
    }

    static <T> T parse(Path file, String text, Function<String, T> parser) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
            throw new StoreCorruptException(damaged(file, String.valueOf(e.getMessage())), e);
        }
    }

    static String damaged(Path file, String why) {
        return "the record in " + file + " cannot be read: " + why + ". Nothing was changed; " + DamagedLease.REMEDY;
    }
}
