package dev.leasehold.model;

/** The random id of a store, created with it. Tokens of different stores are never compared. */
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
