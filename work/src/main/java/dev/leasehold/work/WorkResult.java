package dev.leasehold.work;

/** What came of a completed work item, handed back to whoever asks for the key again: any text of at most 8 KB in UTF-8. */
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
