package dev.leasehold.redis;

import dev.leasehold.internal.Fields;
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
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the scripts answer, as values; what no script of ours wrote fails in ways that {@link RedisFailures#understood} knows. */
final class RedisRecords {
    private static final int FLAG = 24;
    private static final int OWNER = 25;

    private RedisRecords() {}

    /** A line of history: token, attempt, time, reason, length of the holder, then holder and note without a gap. */
    static Transfer transfer(String line) {
        String[] parts = line.split(" ", 6);
        if (parts.length < 6) {
            throw new IllegalArgumentException("a line of history is cut off");
        }
        int holderLength = Fields.smallNumber(parts[4]);
        if (holderLength < 0 || holderLength > parts[5].length()) {
            throw new IllegalArgumentException("a line of history has a wrong length");
        }
        String note = parts[5].substring(holderLength);
        return new Transfer(
                FencingToken.parse(parts[0]),
                AttemptId.of(parts[1]),
                Holder.of(parts[5].substring(0, holderLength)),
                TransferReason.ofWord(parts[3]),
                note.isEmpty() ? null : Note.of(note),
                time(parts[2]));
    }

    /** Seconds, a point, microseconds; neither is filled up with zeros. */
    private static Instant time(String text) {
        int point = text.indexOf('.');
        if (point < 0) {
            throw new IllegalArgumentException("a time is cut off");
        }
        return Instant.ofEpochSecond(
                Fields.number(text.substring(0, point)),
                Math.multiplyExact(Fields.number(text.substring(point + 1)), 1000L));
    }

    static Loss loss(List<@Nullable Object> answer, Grant grant) {
        String kind = Resp.text(answer.get(0));
        Object detail = answer.get(1);
        return switch (kind) {
            case "superseded" -> new Loss.Superseded(transfer(Resp.text(detail)));
            case "lapsed" -> Loss.Lapsed.atStore(Resp.instant(Resp.number(detail)));
            case "released" -> new Loss.Released(Resp.instant(Resp.number(detail)));
            case "forgotten" ->
                new Loss.Forgotten(
                        Resp.text(detail).equals("twin")
                                ? "the store knows " + grant + " from another attempt"
                                : "the store has not issued " + grant);
            default -> throw new IllegalArgumentException("an answer is not understood");
        };
    }

    /** The record as record.lua describes it, then token, time, note and checkpoint of the latest progress. */
    static LeaseSnapshot snapshot(LeaseName name, List<@Nullable Object> answer, Instant clock) {
        if (!(answer.get(0) instanceof byte[] bytes) || bytes.length < OWNER) {
            throw new IllegalArgumentException("a record is cut off");
        }
        ByteBuffer times = ByteBuffer.wrap(bytes);
        long deadline = (long) times.getDouble();
        Instant seen = Resp.instant((long) times.getDouble());
        Duration term = Resp.duration((long) times.getDouble());
        Transfer owner = transfer(new String(bytes, OWNER, bytes.length - OWNER, StandardCharsets.UTF_8));
        LeaseRecord record = new LeaseRecord(
                name,
                owner,
                Resp.instant(deadline),
                term,
                bytes[FLAG] == 'r',
                seen,
                progress(answer, owner.token().toString()));
        return new LeaseSnapshot(record, clock.isBefore(seen) ? seen : clock);
    }

    /** What a predecessor reported is still there until the owner reports something itself; it does not count. */
    private static LeaseRecord.@Nullable Progress progress(List<@Nullable Object> answer, String token) {
        if (!token.equals(Resp.optionalText(answer.get(1)))) {
            return null;
        }
        String note = Resp.optionalText(answer.get(3));
        String checkpoint = Resp.optionalText(answer.get(4));
        return new LeaseRecord.Progress(
                note == null ? null : Note.of(note),
                checkpoint == null ? null : Checkpoint.of(checkpoint),
                Resp.instant(Resp.number(answer.get(2))));
    }
}
