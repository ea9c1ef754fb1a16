package dev.leasehold.model;

/**
 * The name of an operation that must happen once, such as {@code invoice-2024-05-mail}. The caller
 * chooses a name that it can derive again after a crash. It is sent to the target as the
 * idempotency key.
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
