package dev.leasehold.jobs;

/** What became of a request to run a job now. */
public sealed interface StartResult {
    /**
     * It is recorded, and a machine that runs the job takes it up.
     *
     * @param again whether it had been recorded before
     * @param state how far it is: asked, queued, running, the word of its outcome, or ended if the outcome
     *     is no longer kept
     */
    record Asked(JobStart start, boolean again, String state) implements StartResult {}

    /** No machine has run a job of this name. Nothing was changed. */
    record NoSuchJob() implements StartResult {}

    /** The job is paused. Nothing was changed. */
    record Paused(Pause pause) implements StartResult {}

    /** So many requests wait that more are refused: probably no machine runs the job. */
    record TooMany(int waiting) implements StartResult {}
}
