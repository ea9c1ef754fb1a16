package dev.leasehold.agents;

/** What the hook remembers about sessions. */
public interface Sessions {
    /** What is done with the record of a session. */
    interface Step<T> {
        T apply(SessionState state) throws Refusal;
    }

    /**
     * Changes the record of a session. No other step on the same session runs meanwhile, in this
     * process or another. The record is saved also if the step throws.
     *
     * @throws Refusal if the record cannot be read or saved; the step counts as not done
     */
    <T> T change(String session, Step<T> step) throws Refusal;
}
