package dev.leasehold.jdbc;

import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.Transfer;
import dev.leasehold.model.TransferReason;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A row as a statement returned it.
 *
 * @param record null for a name that the store does not know
 * @param clock the server's clock
 */
record LeaseRow(@Nullable LeaseRecord record, Instant clock) {
    /** In the order in which {@link #read} reads them; the clock follows. */
    static final String COLUMNS =
            "name, token, attempt, holder, reason, note, acquired, deadline, term, released, seen,"
                    + " progress_at, progress_note, checkpoint";

    static final LeaseRow UNKNOWN = new LeaseRow(null, Instant.EPOCH);

    /** Reads a row. It may be invalid if another program changed it. */
    @FunctionalInterface
    interface Reading<T> {
        T read() throws SQLException;
    }

    static <T> T parsed(String table, Reading<T> reading) throws SQLException {
        try {
            return reading.read();
        } catch (IllegalArgumentException | ArithmeticException | IndexOutOfBoundsException e) {
            throw new StoreCorruptException(
                    "a row of " + table + " was not written by Leasehold: " + e.getMessage()
                            + ". Nothing was changed. Restore the row from a backup, or raise the counter with 'leasehold repair'",
                    e);
        }
    }

    static LeaseRow read(ResultSet row) throws SQLException {
        return parsed("leasehold_lease", () -> {
            Transfer owner = transfer(row, 2);
            long progressAt = row.getLong(12);
            LeaseRecord.Progress progress = row.wasNull()
                    ? null
                    : new LeaseRecord.Progress(
                            optional(row.getString(13)).map(Note::of).orElse(null),
                            optional(row.getString(14)).map(Checkpoint::of).orElse(null),
                            instant(progressAt));
            LeaseRecord record = new LeaseRecord(
                    LeaseName.of(row.getString(1)),
                    owner,
                    instant(row.getLong(8)),
                    Duration.ofNanos(Math.multiplyExact(row.getLong(9), 1000L)),
                    row.getBoolean(10),
                    instant(row.getLong(11)),
                    progress);
            return new LeaseRow(record, instant(row.getLong(15)));
        });
    }

    /**
     * Reads token, attempt, holder, reason, note and time of a transfer, starting at this column.
     */
    static Transfer transfer(ResultSet row, int first) throws SQLException {
        return new Transfer(
                FencingToken.of(row.getLong(first)),
                AttemptId.of(row.getString(first + 1)),
                Holder.of(row.getString(first + 2)),
                TransferReason.ofWord(row.getString(first + 3)),
                optional(row.getString(first + 4)).map(Note::of).orElse(null),
                instant(row.getLong(first + 5)));
    }

    /** Store time is never earlier than the latest time in the record. */
    LeaseSnapshot snapshot(LeaseRecord lease) {
        return new LeaseSnapshot(lease, clock.isBefore(lease.seen()) ? lease.seen() : clock);
    }

    static Instant instant(long micros) {
        return Instant.ofEpochSecond(Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1000);
    }

    static long micros(Instant instant) {
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), instant.getNano() / 1000);
    }

    private static Optional<String> optional(@Nullable String text) {
        return Optional.ofNullable(text);
    }
}
