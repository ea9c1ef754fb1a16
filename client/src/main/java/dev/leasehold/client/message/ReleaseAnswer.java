package dev.leasehold.client.message;

/** @param outcome {@link #RELEASED}, or {@link #AGAIN} if it had been released before */
public record ReleaseAnswer(@Required String outcome) {
    public static final String RELEASED = "released";
    public static final String AGAIN = "already-released";
}
