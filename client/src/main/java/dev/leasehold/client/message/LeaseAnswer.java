package dev.leasehold.client.message;

import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Note;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A lease as it was at one moment of store time.
 *
 * @param owner the latest change of ownership
 * @param termMs how far ahead of store time the deadline was last set
 * @param seen the latest store time in the record
 * @param at the store time of this answer
 * @param readAt the time of day of this answer, if it is not the store time: in a store without a clock
 */
public record LeaseAnswer(
        @Required String name,
        @Required String state,
        @Required long token,
        @Required String holder,
        @Required long expiresInMs,
        @Required TransferPart owner,
        @Required Instant deadline,
        @Required long termMs,
        @Required boolean released,
        @Required Instant seen,
        @Nullable ProgressPart progress,
        @Required Instant at,
        @Nullable Instant readAt) {
    /** The latest progress of the owner. */
    public record ProgressPart(@Nullable String note, @Nullable String checkpoint, @Required Instant at) {
        static ProgressPart of(LeaseRecord.Progress progress) {
            Note note = progress.note();
            Checkpoint checkpoint = progress.checkpoint();
            return new ProgressPart(
                    note == null ? null : note.value(), checkpoint == null ? null : checkpoint.value(), progress.at());
        }

        LeaseRecord.Progress toProgress() {
            return new LeaseRecord.Progress(
                    note == null ? null : Note.of(note), checkpoint == null ? null : Checkpoint.of(checkpoint), at);
        }
    }

    public static LeaseAnswer of(LeaseSnapshot snapshot) {
        LeaseRecord lease = snapshot.lease();
        LeaseRecord.Progress progress = lease.progress();
        return new LeaseAnswer(
                lease.name().value(),
                snapshot.state().word(),
                lease.token().value(),
                lease.owner().holder().value(),
                Millis.down(snapshot.remaining()),
                TransferPart.of(lease.owner()),
                lease.deadline(),
                Millis.up(lease.term()),
                lease.released(),
                lease.seen(),
                progress == null ? null : ProgressPart.of(progress),
                snapshot.at(),
                snapshot.readAt().equals(snapshot.at()) ? null : snapshot.readAt());
    }

    /** For those who may look and not act. */
    public LeaseAnswer withoutAttempt() {
        return new LeaseAnswer(
                name,
                state,
                token,
                holder,
                expiresInMs,
                owner.withoutAttempt(),
                deadline,
                termMs,
                released,
                seen,
                progress,
                at,
                readAt);
    }

    public LeaseSnapshot toSnapshot() {
        LeaseRecord lease = new LeaseRecord(
                LeaseName.of(name),
                owner.toTransfer(),
                deadline,
                Duration.ofMillis(termMs),
                released,
                seen,
                progress == null ? null : progress.toProgress());
        return new LeaseSnapshot(lease, at, readAt == null ? at : readAt);
    }
}
