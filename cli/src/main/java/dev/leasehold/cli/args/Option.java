package dev.leasehold.cli.args;

/**
 * One option of a command.
 *
 * @param name without the dashes
 * @param placeholder stands for the value in the help; empty for a flag
 * @param help one line
 * @param letter the short form without the dash; empty if there is none
 */
public record Option(
        String name, String placeholder, Kind kind, String help, boolean repeatable, boolean required, String letter) {
    public static Option flag(String name, String help) {
        return new Option(name, "", Kind.FLAG, help, false, false, "");
    }

    public static Option of(String name, String placeholder, Kind kind, String help) {
        return new Option(name, placeholder, kind, help, false, false, "");
    }

    /** This option, repeatable. */
    public Option repeated() {
        return new Option(name, placeholder, kind, help, true, required, letter);
    }

    /** This option, required. */
    public Option needed() {
        return new Option(name, placeholder, kind, help, repeatable, true, letter);
    }

    /** This option, with a short form of one letter. */
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
