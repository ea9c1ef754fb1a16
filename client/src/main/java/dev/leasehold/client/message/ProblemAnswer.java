package dev.leasehold.client.message;

import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreMissingException;
import dev.leasehold.model.StoreMovedException;
import dev.leasehold.model.StoreUnavailableException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a call got instead of its answer, in the form of RFC 9457.
 *
 * @param type one of {@link ProblemType}
 * @param holder of a lease that is busy, with {@code token} and {@code expiresInMs}
 * @param loss why a grant is stale
 * @param current the owner that an intervention did not expect
 * @param attempt what to repeat the call with, if its outcome is unknown
 * @param to where a store was moved, with {@code store} and {@code stage}
 * @param fence what the fence that refused remembers
 */
public record ProblemAnswer(
        @Required String type,
        @Required String title,
        @Required int status,
        @Required String detail,
        @Nullable String holder,
        @Nullable Long token,
        @Nullable Long expiresInMs,
        @Nullable LossPart loss,
        @Nullable TransferPart current,
        @Nullable String attempt,
        @Nullable String store,
        @Nullable String stage,
        @Nullable String to,
        @Nullable FencePart fence) {
    public static ProblemAnswer of(ProblemType type, String detail) {
        return new ProblemAnswer(
                type.uri(),
                type.title(),
                type.status(),
                detail,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    public ProblemAnswer withHolder(String owner, long itsToken, long itsExpiry) {
        return new ProblemAnswer(
                type, title, status, detail, owner, itsToken, itsExpiry, loss, current, attempt, store, stage, to,
                fence);
    }

    public ProblemAnswer withLoss(LossPart why) {
        return new ProblemAnswer(
                type,
                title,
                status,
                detail,
                holder,
                token,
                expiresInMs,
                why,
                current,
                attempt,
                store,
                stage,
                to,
                fence);
    }

    public ProblemAnswer withCurrent(TransferPart owner) {
        return new ProblemAnswer(
                type, title, status, detail, holder, token, expiresInMs, loss, owner, attempt, store, stage, to, fence);
    }

    public ProblemAnswer withAttempt(@Nullable String id) {
        return new ProblemAnswer(
                type, title, status, detail, holder, token, expiresInMs, loss, current, id, store, stage, to, fence);
    }

    public static ProblemAnswer of(StoreMovedException e) {
        ProblemAnswer plain = of(ProblemType.STORE_MOVED, String.valueOf(e.getMessage()));
        return new ProblemAnswer(
                plain.type,
                plain.title,
                plain.status,
                plain.detail,
                null,
                null,
                null,
                null,
                null,
                null,
                e.id().value(),
                e.stage().name().toLowerCase(Locale.ROOT),
                e.to(),
                null);
    }

    public ProblemAnswer withFence(FencePart refusing) {
        return new ProblemAnswer(
                type,
                title,
                status,
                detail,
                holder,
                token,
                expiresInMs,
                loss,
                current,
                attempt,
                store,
                stage,
                to,
                refusing);
    }

    /** The same problem as the exception that a store throws. */
    public RuntimeException toException() {
        if (is(ProblemType.STORE_MISSING)) {
            return new StoreMissingException(detail);
        }
        if (is(ProblemType.RECORD_DAMAGED)) {
            return new StoreCorruptException(detail);
        }
        if (is(ProblemType.STORE_MOVED) && store != null && stage != null && to != null) {
            return new StoreMovedException(
                    StoreId.of(store), StoreMovedException.Stage.valueOf(stage.toUpperCase(Locale.ROOT)), to, detail);
        }
        return new StoreUnavailableException(detail);
    }

    public boolean is(ProblemType kind) {
        return type.equals(kind.uri());
    }
}
