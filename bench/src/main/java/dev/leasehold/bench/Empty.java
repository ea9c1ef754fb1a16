package dev.leasehold.bench;

/** What the JVM itself costs. */
public final class Empty {
    private Empty() {}

    public static void main(String[] args) {}
}
