package dev.leasehold.cli.args;

/**
 * One option of a command.
 *
 * @param name without the dashes
 * @param placeholder what stands for its value in the help; empty for a flag
 * @param help one line
 * @param letter what it is called for short, without the dash; empty for most
 */
public record Option(
        String name, String placeholder, Kind kind, String help, boolean repeatable, boolean required, String letter) {
    public static Option flag(String name, String help) {
        return new Option(name, "", Kind.FLAG, help, false, false, "");
    }

    public static Option of(String name, String placeholder, Kind kind, String help) {
        return new Option(name, placeholder, kind, help, false, false, "");
    }

    /** The same option, which may be given several times. */
    public Option repeated() {
        return new Option(name, placeholder, kind, help, true, required, letter);
    }

    /** The same option, which must be given. */
    public Option needed() {
        return new Option(name, placeholder, kind, help, repeatable, true, letter);
    }

    /** The same option, which may also be written with one dash and a letter. */
    public Option orShort(String value) {
        return new Option(name, placeholder, kind, help, repeatable, required, value);
    }

    public boolean takesValue() {
        return kind != Kind.FLAG;
    }

    public String dashed() {
        return "--".concat(name);
    }
}
