package dev.leasehold.redis;

import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Note;
import dev.leasehold.model.Transfer;
import dev.leasehold.model.TransferReason;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the scripts answer, as values. Everything here throws IllegalArgumentException for what no script of ours wrote. */
final class RedisRecords {
    private RedisRecords() {}

    /** A line of history: token, time, reason, attempt, length of the holder, then holder and note without a gap. */
    static Transfer transfer(String line) {
        String[] parts = line.split(" ", 6);
        if (parts.length < 6) {
            throw new IllegalArgumentException("a line of history is cut off");
        }
        int holderLength = Integer.parseInt(parts[4]);
        if (holderLength < 0 || holderLength > parts[5].length()) {
            throw new IllegalArgumentException("a line of history has a wrong length");
        }
        String note = parts[5].substring(holderLength);
        return new Transfer(
                FencingToken.parse(parts[0]),
                AttemptId.of(parts[3]),
                Holder.of(parts[5].substring(0, holderLength)),
                TransferReason.ofWord(parts[2]),
                note.isEmpty() ? null : Note.of(note),
                Resp.instant(Long.parseLong(parts[1])));
    }

    static Loss loss(List<@Nullable Object> answer, Grant grant) {
        String kind = Resp.text(answer.get(0));
        String detail = Resp.text(answer.get(1));
        return switch (kind) {
            case "superseded" -> new Loss.Superseded(transfer(detail));
            case "lapsed" -> Loss.Lapsed.atStore(Resp.instant(Long.parseLong(detail)));
            case "released" -> new Loss.Released(Resp.instant(Long.parseLong(detail)));
            case "forgotten" ->
                new Loss.Forgotten(
                        detail.equals("twin")
                                ? "the store knows " + grant + " from another attempt"
                                : "the store has not issued " + grant);
            default -> throw new IllegalArgumentException("an answer is not understood");
        };
    }

    /** The fields in the order in which inspect.lua reads them. */
    static LeaseSnapshot snapshot(LeaseName name, List<@Nullable Object> fields, Instant clock) {
        Transfer owner = transfer(Resp.text(fields.get(1)));
        Instant seen = Resp.instant(Resp.number(fields.get(5)));
        LeaseRecord record = new LeaseRecord(
                name,
                owner,
                Resp.instant(Resp.number(fields.get(2))),
                Resp.duration(Resp.number(fields.get(3))),
                Resp.text(fields.get(4)).equals("1"),
                seen,
                progress(fields, Resp.text(fields.get(0))));
        return new LeaseSnapshot(record, clock.isBefore(seen) ? seen : clock);
    }

    /** What a predecessor reported is still there until the owner reports something itself; it does not count. */
    private static LeaseRecord.@Nullable Progress progress(List<@Nullable Object> fields, String token) {
        if (!token.equals(Resp.optionalText(fields.get(6)))) {
            return null;
        }
        String note = Resp.optionalText(fields.get(8));
        String checkpoint = Resp.optionalText(fields.get(9));
        return new LeaseRecord.Progress(
                note == null ? null : Note.of(note),
                checkpoint == null ? null : Checkpoint.of(checkpoint),
                Resp.instant(Resp.number(fields.get(7))));
    }
}
