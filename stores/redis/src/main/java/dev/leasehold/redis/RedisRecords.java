package dev.leasehold.redis;

import dev.leasehold.internal.Fields;
import dev.leasehold.internal.Words;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Forgetting;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Note;
import dev.leasehold.model.Transfer;
import dev.leasehold.model.TransferReason;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Converts script answers to values. A record that no Leasehold script wrote fails in the ways that
 * {@link RedisFailures#parsed} handles.
 */
final class RedisRecords {
    private static final int FLAG = 24;
    private static final int OWNER = 26;
    private static final int TRANSFER_HEAD = 20;
    private static final int HISTORY_HEAD = 4;

    private RedisRecords() {}

    /** A transfer in the format of record.lua. */
    static Transfer transfer(@Nullable Object bytes) {
        return transfer(ByteBuffer.wrap(Resp.raw(bytes)));
    }

    /** The transfers of a history, newest first, at most {@code limit}. See transfer.lua. */
    static List<Transfer> history(@Nullable Object bytes, int limit) {
        if (bytes == null) {
            return List.of();
        }
        ByteBuffer all = ByteBuffer.wrap(Resp.raw(bytes));
        List<Integer> starts = new ArrayList<>();
        for (int next = HISTORY_HEAD; next < all.limit(); next += lengthAt(all, next)) {
            starts.add(next);
        }
        List<Transfer> newest = new ArrayList<>();
        for (int i = starts.size() - 1; i >= 0 && newest.size() < limit; i--) {
            newest.add(transfer(all.slice(starts.get(i), lengthAt(all, starts.get(i)))));
        }
        return newest;
    }

    private static int lengthAt(ByteBuffer all, int start) {
        int length = start > all.limit() - TRANSFER_HEAD ? 0 : all.getInt(start);
        if (length < TRANSFER_HEAD || length > all.limit() - start) {
            throw new IllegalArgumentException("a transfer is truncated");
        }
        return length;
    }

    private static Transfer transfer(ByteBuffer bytes) {
        if (lengthAt(bytes, 0) != bytes.limit()) {
            throw new IllegalArgumentException("a transfer has the wrong length");
        }
        Instant at = Resp.instant((long) bytes.getDouble(4));
        FencingToken token = FencingToken.of(bytes.getLong(12));
        String text = new String(
                bytes.array(),
                bytes.arrayOffset() + TRANSFER_HEAD,
                bytes.limit() - TRANSFER_HEAD,
                StandardCharsets.UTF_8);
        Words words = new Words("a transfer", text);
        AttemptId attempt = AttemptId.of(words.word());
        TransferReason reason = TransferReason.ofWord(words.word());
        Holder holder = Holder.of(words.counted());
        String note = words.rest();
        return new Transfer(token, attempt, holder, reason, note.isEmpty() ? null : Note.of(note), at);
    }

    /** The record in the format of record.lua. */
    static byte[] bytes(LeaseRecord record) {
        byte[] owner = bytes(record.owner());
        return ByteBuffer.allocate(OWNER + owner.length)
                .putDouble((double) micros(record.deadline()))
                .putDouble((double) micros(record.seen()))
                .putDouble((double) Resp.micros(record.term()))
                .put((byte) (record.released() ? 'r' : 'h'))
                .put((byte) 0)
                .put(owner)
                .array();
    }

    /** A history in the format of transfer.lua, from transfers that are newest first. */
    static byte[] bytes(List<Transfer> newestFirst) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(ByteBuffer.allocate(HISTORY_HEAD).putInt(HISTORY_HEAD).array());
        for (int i = newestFirst.size() - 1; i >= 0; i--) {
            all.writeBytes(bytes(newestFirst.get(i)));
        }
        return all.toByteArray();
    }

    private static byte[] bytes(Transfer transfer) {
        String holder = transfer.holder().value();
        Note note = transfer.note();
        byte[] text = Resp.bytes(transfer.attempt() + " " + transfer.reason().word() + " " + holder.length() + " "
                + holder + (note == null ? "" : note.value()));
        return ByteBuffer.allocate(TRANSFER_HEAD + text.length)
                .putInt(TRANSFER_HEAD + text.length)
                .putDouble((double) micros(transfer.at()))
                .putLong(transfer.token().value())
                .put(text)
                .array();
    }

    static long micros(Instant instant) {
        return Fields.micros(instant);
    }

    /** What release.lua takes. */
    static ScriptArguments release(byte[] key, Grant grant, Duration minHold, long windowMicros) {
        boolean usual = minHold.isZero() && windowMicros == 0;
        ScriptArguments arguments =
                new ScriptArguments(1, usual ? 2 : 4).add(key).add(proof(grant));
        return usual ? arguments : arguments.add(minHold).add(windowMicros);
    }

    /** The part of its transfer that proves a grant, as far as the grant knows it. */
    static byte[] proof(Grant grant) {
        AttemptId attempt = grant.attempt();
        byte[] text = attempt == null ? new byte[0] : Resp.bytes(attempt.value() + " ");
        return ByteBuffer.allocate(Long.BYTES + text.length)
                .putLong(grant.token().value())
                .put(text)
                .array();
    }

    /** The answers of forget.lua. */
    static List<Forgetting> forgettings(List<@Nullable Object> numbers) {
        List<Forgetting> answers = new ArrayList<>(numbers.size());
        for (Object number : numbers) {
            long answer = Resp.number(number);
            answers.add(answer == 0 ? Forgetting.ABSENT : answer == 1 ? Forgetting.FORGOTTEN : Forgetting.KEPT);
        }
        return answers;
    }

    /** @param floor read only if the store has no record of the name */
    static Loss loss(List<@Nullable Object> answer, Grant grant, LongSupplier floor) {
        String kind = Resp.text(answer.get(0));
        Object detail = answer.get(1);
        return switch (kind) {
            case "superseded" -> new Loss.Superseded(transfer(detail));
            case "lapsed" -> Loss.Lapsed.atStore(Resp.instant(Resp.number(detail)));
            case "released" -> new Loss.Released(Resp.instant(Resp.number(detail)));
            case "missing" -> Loss.ofUnknownName(grant, floor.getAsLong());
            case "forgotten" ->
                new Loss.Forgotten(
                        Resp.text(detail).equals("twin")
                                ? "the store knows " + grant + " from another attempt"
                                : "the store has not issued " + grant);
            default -> throw new IllegalArgumentException("unknown answer");
        };
    }

    /**
     * The record in the format of record.lua, then token, time, note and checkpoint of the latest
     * progress.
     */
    static LeaseSnapshot snapshot(LeaseName name, List<@Nullable Object> answer, Instant clock) {
        ByteBuffer bytes = ByteBuffer.wrap(Resp.raw(answer.get(0)));
        Transfer owner = transfer(bytes.slice(OWNER, bytes.limit() - OWNER));
        Instant seen = Resp.instant((long) bytes.getDouble(8));
        LeaseRecord record = new LeaseRecord(
                name,
                owner,
                Resp.instant((long) bytes.getDouble(0)),
                Resp.duration((long) bytes.getDouble(16)),
                bytes.get(FLAG) == 'r',
                seen,
                progress(answer, owner.token().toString()));
        return new LeaseSnapshot(record, clock.isBefore(seen) ? seen : clock);
    }

    /** A predecessor's report stays until the owner reports something, and does not count. */
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
