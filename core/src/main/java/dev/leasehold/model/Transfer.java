package dev.leasehold.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One change of ownership, as history keeps it. The note is an operator's own reason, where one was given. */
public record Transfer(
        FencingToken token, AttemptId attempt, Holder holder, TransferReason reason, @Nullable Note note, Instant at) {}
