package dev.leasehold.simulator.disk;

/** Decides what survives a power cut. */
public interface PowerCutChoice {
    int below(int bound);

    default boolean toss() {
        return below(2) == 0;
    }
}
