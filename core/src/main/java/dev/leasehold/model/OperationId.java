package dev.leasehold.model;

/**
 * One thing that is to be done once, by a name that its doer chooses and finds again after a crash: {@code
 * invoice-2024-05-mail}. It is sent to the target as the idempotency key.
 */
public record OperationId(String value) {
    public OperationId {
        Text.identifier("operation id", value, 1, 100, "._:@-");
    }

    public static OperationId of(String value) {
        return new OperationId(value);
    }

    @Override
    public String toString() {
        return value;
    }
}
