package dev.leasehold.mcp;

/** The bytes are not the JSON that this program reads. */
final class MalformedJsonException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedJsonException() {
        super(null, null, false, false);
    }
}
