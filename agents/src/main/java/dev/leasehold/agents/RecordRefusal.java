package dev.leasehold.agents;

/** A refusal because the record of the session cannot be read or kept. */
final class RecordRefusal extends Refusal {
    private static final long serialVersionUID = 1L;

    RecordRefusal(String message) {
        super(message);
    }
}
