package dev.leasehold.bench;

/** The cost of the JVM alone. */
public final class EmptyMain {
    private EmptyMain() {}

    public static void main(String[] args) {}
}
