package dev.leasehold.simulator;

/** An invariant that did not hold. */
public record Violation(Invariant invariant, String what) {
    @Override
    public String toString() {
        return "invariant " + invariant + "\n  but " + what;
    }
}
