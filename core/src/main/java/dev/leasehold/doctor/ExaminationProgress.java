package dev.leasehold.doctor;

/** Is told how far an examination is, because that takes a while, and may end it early. */
public interface ExaminationProgress {
    /** The next step begins. */
    void step(String what);

    /**
     * Rounds of the current step are done.
     *
     * @param total how many there will be, as far as that is known now
     */
    default void rounds(int done, int total) {}

    /** Whether to end after the current round. Scratch names are then removed as usual. */
    default boolean isStopped() {
        return false;
    }
}
