package dev.leasehold.internal;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Note;
import dev.leasehold.model.ProgressReport;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.Transfer;
import dev.leasehold.model.TransferReason;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the lease protocol, as pure transitions of one record. The memory, file and
 * compare-and-set stores apply them. SQL statements and Redis scripts implement the same rules, and
 * the same contract tests hold them to it; the SQL store also asks these rules for the answer when
 * a statement changed nothing.
 */
public final class LeaseRules {
    private final StoreId store;

    public LeaseRules(StoreId store) {
        this.store = store;
    }

    public Transition<Acquisition> acquire(LeaseName name, AttemptId attempt, Holder holder, Duration ttl) {
        return (record, floor, clock) -> {
            if (record == null) {
                FencingToken first = FencingToken.of(Math.addExact(floor, 1));
                return grant(name, first, attempt, holder, TransferReason.FIRST, micros(clock), ttl);
            }
            Instant now = storeTime(record, clock);
            if (record.owner().attempt().equals(attempt)) {
                return replay(record, now, ttl);
            }
            if (record.deadline().isAfter(now)) {
                return clockJumpedBack(record, clock) ? rebase(record, clock) : Step.keep(busy(record, now));
            }
            // The token rises even for the same holder: a restarted run is a new owner.
            TransferReason reason = record.released() ? TransferReason.RELEASED : TransferReason.EXPIRED;
            return grant(name, record.token().next(), attempt, holder, reason, now, ttl);
        };
    }

    public Transition<Acquisition> intervene(Intervention move) {
        return (record, floor, clock) -> {
            Instant now = record == null ? micros(clock) : storeTime(record, clock);
            if (record != null && record.owner().attempt().equals(move.attempt())) {
                return move.leavesFree() ? Step.keep(granted(record, now)) : replay(record, now, move.ttl());
            }
            if (move.seen() != null && (record == null || !record.token().equals(move.seen()))) {
                return Step.keep(new Acquisition.Moved(record == null ? null : record.owner()));
            }
            long current = record == null ? floor : record.token().value();
            FencingToken next = FencingToken.of(Math.addExact(Math.max(current, move.above()), 1));
            Transfer owner = new Transfer(next, move.attempt(), move.holder(), move.kind(), move.reason(), now);
            LeaseRecord moved =
                    new LeaseRecord(move.name(), owner, now.plus(move.ttl()), move.ttl(), move.leavesFree(), now, null);
            return Step.transfer(granted(moved, now), moved);
        };
    }

    public Transition<Renewal> renew(Grant grant, Duration ttl) {
        return whileCurrent(grant, Renewal.NotRenewed::new, (record, now) -> {
            LeaseRecord renewed = extended(record, now, ttl);
            Renewal answer = new Renewal.Renewed(Duration.between(now, renewed.deadline()));
            // Written even if the record stays equal, as it does after the clock was set back: the
            // new version makes a contender fail that has read the old one.
            return Step.update(answer, renewed);
        });
    }

    public Transition<Release> release(Grant grant, Duration minHold) {
        return whileCurrent(
                grant,
                loss -> loss instanceof Loss.Released ? new Release.AlreadyReleased() : new Release.NotCurrent(loss),
                (record, now) -> Step.update(new Release.Released(), released(record, now, minHold)));
    }

    public Transition<Boolean> abandon(AttemptId attempt) {
        return (record, floor, clock) ->
                record != null && record.owner().attempt().equals(attempt) && !record.released()
                        ? Step.update(true, released(record, storeTime(record, clock), Duration.ZERO))
                        : Step.keep(false);
    }

    public Transition<ProgressReport> progress(Grant grant, @Nullable Note note, @Nullable Checkpoint checkpoint) {
        return whileCurrent(grant, ProgressReport.NotCurrent::new, (record, now) -> {
            LeaseRecord.Progress before = record.progress();
            LeaseRecord.Progress progress = new LeaseRecord.Progress(
                    note == null && before != null ? before.note() : note,
                    checkpoint == null && before != null ? before.checkpoint() : checkpoint,
                    now);
            LeaseRecord noted = new LeaseRecord(
                    record.name(), record.owner(), record.deadline(), record.term(), false, now, progress);
            return Step.update(new ProgressReport.Noted(), noted);
        });
    }

    /** Whether the name is free with the token that the caller saw, so that its record may be removed. */
    public static boolean mayForget(LeaseRecord record, FencingToken seen, Instant clock) {
        return record.token().equals(seen)
                && seen.value() <= LeaseStore.MAX_FLOOR
                && !record.deadline().isAfter(storeTime(record, clock));
    }

    /** A step that only the current grant may take, if it has neither expired nor been released. */
    private static <T> Transition<T> whileCurrent(
            Grant grant, Function<Loss, T> whenLost, BiFunction<LeaseRecord, Instant, Step<T>> whenCurrent) {
        return (record, floor, clock) -> {
            if (record == null) {
                return Step.keep(whenLost.apply(Loss.ofUnknownName(grant, floor)));
            }
            Instant now = storeTime(record, clock);
            Loss loss = record.lossOf(grant, now);
            return loss == null ? whenCurrent.apply(record, now) : Step.keep(whenLost.apply(loss));
        };
    }

    /**
     * Store time never runs backwards: after a clock was set back, an old deadline must not count
     * again.
     */
    public static Instant storeTime(LeaseRecord record, Instant clock) {
        Instant now = micros(clock);
        return now.isBefore(record.seen()) ? record.seen() : now;
    }

    /**
     * A repeated attempt, after a lost reply or while polling, gets its grant again while it lasts,
     * and never a second one.
     */
    private Step<Acquisition> replay(LeaseRecord record, Instant now, Duration ttl) {
        if (record.released() || !record.deadline().isAfter(now)) {
            return Step.keep(new Acquisition.Spent());
        }
        LeaseRecord extended = extended(record, now, ttl);
        return Step.update(granted(extended, now), extended);
    }

    /**
     * Moves a deadline that lies further ahead than it was ever set, because the clock jumped back.
     * Waiting for it would take as long as the jump. The new deadline is one term from now, which
     * covers all the time that the holder may still trust.
     */
    private static Step<Acquisition> rebase(LeaseRecord record, Instant clock) {
        Instant now = micros(clock);
        LeaseRecord rebased = new LeaseRecord(
                record.name(),
                record.owner(),
                now.plus(record.term()),
                record.term(),
                record.released(),
                now,
                record.progress());
        return Step.update(busy(rebased, now), rebased);
    }

    private static boolean clockJumpedBack(LeaseRecord record, Instant clock) {
        // The clocks of several hosts may differ by up to a tenth of the term; that is not a jump.
        Duration believable = record.term().plusNanos(record.term().toNanos() / 10);
        return record.deadline().isAfter(clock.plus(believable)) && clock.isBefore(record.seen());
    }

    private Step<Acquisition> grant(
            LeaseName name,
            FencingToken token,
            AttemptId attempt,
            Holder holder,
            TransferReason reason,
            Instant now,
            Duration ttl) {
        Transfer owner = new Transfer(token, attempt, holder, reason, null, now);
        LeaseRecord record = new LeaseRecord(name, owner, now.plus(ttl), ttl, false, now, null);
        return Step.transfer(granted(record, now), record);
    }

    private Acquisition granted(LeaseRecord record, Instant now) {
        Grant grant = new Grant(record.name(), record.token(), record.owner().attempt(), store);
        Duration remaining = Duration.between(now, record.deadline());
        return new Acquisition.Granted(grant, remaining.isNegative() ? Duration.ZERO : remaining, record.owner());
    }

    private static Acquisition busy(LeaseRecord record, Instant now) {
        return new Acquisition.Busy(record.token(), record.owner().holder(), Duration.between(now, record.deadline()));
    }

    private static LeaseRecord extended(LeaseRecord record, Instant now, Duration ttl) {
        Instant asked = now.plus(ttl);
        boolean later = asked.isAfter(record.deadline());
        return new LeaseRecord(
                record.name(),
                record.owner(),
                later ? asked : record.deadline(),
                later ? ttl : record.term(),
                record.released(),
                now,
                record.progress());
    }

    private static LeaseRecord released(LeaseRecord record, Instant now, Duration minHold) {
        // The record stays, because the token must outlive the holder. If the clock was set back
        // after the grant, the minimum hold counts from now.
        Instant acquired =
                record.owner().at().isAfter(now) ? now : record.owner().at();
        Instant held = acquired.plus(minHold);
        Instant deadline = held.isAfter(now) ? held : now;
        return new LeaseRecord(record.name(), record.owner(), deadline, minHold, true, now, record.progress());
    }

    /** Every store can keep microseconds. Rounding in one place keeps stores from disagreeing. */
    private static Instant micros(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MICROS);
    }
}
