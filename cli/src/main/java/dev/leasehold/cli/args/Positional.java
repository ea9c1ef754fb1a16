package dev.leasehold.cli.args;

/**
 * An argument that is identified by its position. Only the last one of a command may be optional or
 * variadic.
 */
public record Positional(String name, Kind kind, boolean required, boolean variadic) {
    public static Positional of(String name, Kind kind) {
        return new Positional(name, kind, true, false);
    }

    public static Positional optional(String name, Kind kind) {
        return new Positional(name, kind, false, false);
    }

    /** One or more arguments. */
    public static Positional several(String name, Kind kind) {
        return new Positional(name, kind, true, true);
    }
}
