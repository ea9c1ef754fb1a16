package dev.leasehold.model;

/** A random id made together with a store. Tokens of two stores count different things and are never compared. */
public record StoreId(String value) {
    public StoreId {
        Text.identifier("store id", value, 8, 64, "_-");
    }

    public static StoreId of(String value) {
        return new StoreId(value);
    }

    @Override
    public String toString() {
        return value;
    }
}
