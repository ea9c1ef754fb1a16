package dev.leasehold.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One change of ownership, as kept in the history. The note is an operator's reason, if one was
 * given.
 */
public record Transfer(
        FencingToken token, AttemptId attempt, Holder holder, TransferReason reason, @Nullable Note note, Instant at) {}
