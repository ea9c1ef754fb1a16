package dev.leasehold.jdbc;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.Transfer;
import dev.leasehold.model.TransferReason;
import dev.leasehold.spi.Intervention;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request for ownership, ordinary or by an operator: one statement serves both.
 *
 * @param kind null where it follows from how the name became free
 * @param forced whether the deadline is ignored
 * @param seen the only token that the request may replace; zero for any
 */
record OwnershipRequest(
        LeaseName name,
        AttemptId attempt,
        Holder holder,
        Duration ttl,
        long above,
        @Nullable TransferReason kind,
        @Nullable Note note,
        boolean leavesFree,
        boolean forced,
        long seen) {

    static OwnershipRequest ordinary(LeaseName name, AttemptId attempt, Holder holder, Duration ttl) {
        return new OwnershipRequest(name, attempt, holder, ttl, 0, null, null, false, false, 0);
    }

    static OwnershipRequest of(Intervention move) {
        return new OwnershipRequest(
                move.name(),
                move.attempt(),
                move.holder(),
                move.ttl(),
                move.above(),
                move.kind(),
                move.reason(),
                move.leavesFree(),
                true,
                move.seen() == null ? 0 : move.seen().value());
    }

    /** An ordinary request omits the parameters that only an operator's request needs. */
    SqlParameters params() {
        SqlParameters ordinary = SqlParameters.of("name", name.value())
                .and("attempt", attempt.value())
                .and("holder", holder.value())
                .andMicros("ttl", ttl);
        if (!forced) {
            return ordinary;
        }
        return ordinary.and("above", above)
                .and("kind", kind == null ? null : kind.word())
                .and("note", note == null ? null : note.value())
                .and("leaves_free", leavesFree)
                .and("forced", forced)
                .and("seen", seen);
    }

    /**
     * Reads token, reason and time of the transfer, starting at this column; a token of zero means
     * that nothing changed.
     */
    Optional<Acquisition> granted(ResultSet row, int first, StoreId store) throws SQLException {
        long token = row.getLong(first);
        return token == 0
                ? Optional.empty()
                : Optional.of(granted(
                        token,
                        TransferReason.ofWord(row.getString(first + 1)),
                        LeaseRow.instant(row.getLong(first + 2)),
                        store));
    }

    Acquisition granted(long token, TransferReason reason, Instant at, StoreId store) {
        Transfer transfer = new Transfer(FencingToken.of(token), attempt, holder, reason, note, at);
        Grant grant = new Grant(name, transfer.token(), attempt, store);
        return new Acquisition.Granted(grant, ttl.truncatedTo(ChronoUnit.MICROS), transfer);
    }
}
