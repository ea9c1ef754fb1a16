package dev.leasehold.work;

/**
 * The result of a completed work item, returned to later runs of the key: any text of at most 8 KB
 * in UTF-8.
 */
public record WorkResult(String value) {
    public static final int MAX_BYTES = 8192;

    public WorkResult {
        StoredText.require("result", value, MAX_BYTES);
    }

    public static WorkResult of(String value) {
        return new WorkResult(value);
    }

    @Override
    public String toString() {
        return value;
    }
}
