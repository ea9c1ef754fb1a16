package dev.leasehold.model;

/** What a fence decides about one write of one grant. */
public sealed interface FenceDecision {
    /** What the writer is answered. */
    Admission answer();

    /** What the fence remembers from then on. */
    FenceState after();

    /** The write goes ahead: the grant is current, or the target only observes. */
    record Admit(Admission answer, FenceState after) implements FenceDecision {}

    /** The same write took effect before. Nothing is written again. */
    record Repeat(Admission.AlreadyWritten answer, FenceState after) implements FenceDecision {}

    /** Nothing is written. */
    record Refuse(Admission.Refused answer, FenceState after) implements FenceDecision {}
}
