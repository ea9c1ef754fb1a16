package dev.leasehold.model;

/**
 * Who holds a lease, for people to read. It never decides ownership: a restarted holder is a new
 * owner.
 */
public record Holder(String value) {
    public static final int MAX_LENGTH = 200;

    public Holder {
        Text.printable("holder", value, MAX_LENGTH);
    }

    public static Holder of(String value) {
        return new Holder(value);
    }

    @Override
    public String toString() {
        return value;
    }
}
