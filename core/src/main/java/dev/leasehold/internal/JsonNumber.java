package dev.leasehold.internal;

/** A number of JSON as it was written, so that it can be written back unchanged. */
public record JsonNumber(String text) {
    @Override
    public String toString() {
        return text;
    }
}
