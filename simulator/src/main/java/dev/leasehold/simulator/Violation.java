package dev.leasehold.simulator;

/** Something that must always hold did not. */
public record Violation(Invariant invariant, String what) {
    @Override
    public String toString() {
        return "invariant " + invariant + "\n  but " + what;
    }
}
