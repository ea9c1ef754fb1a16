package dev.leasehold.agents;

/** An edit that must not happen, with the reason for the agent. */
public class Refusal extends Exception {
    private static final long serialVersionUID = 1L;

    public Refusal(String message) {
        // Refusals are ordinary results, and filling in a stack trace is slow.
        super(message, null, false, false);
    }

    public String reason() {
        return String.valueOf(getMessage());
    }
}
