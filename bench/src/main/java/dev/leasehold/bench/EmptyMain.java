package dev.leasehold.bench;

/** What the JVM itself costs. */
public final class EmptyMain {
    private EmptyMain() {}

    public static void main(String[] args) {}
}
