package dev.leasehold.cli.args;

/**
 * One option of a command.
 *
 * @param name without the dashes
 * @param placeholder what stands for its value in the help; empty for a flag
 * @param help one line
 */
public record Option(String name, String placeholder, Kind kind, String help, boolean repeatable, boolean required) {
    public static Option flag(String name, String help) {
        return new Option(name, "", Kind.FLAG, help, false, false);
    }

    public static Option of(String name, String placeholder, Kind kind, String help) {
        return new Option(name, placeholder, kind, help, false, false);
    }

    /** The same option, which may be given several times. */
    public Option repeated() {
        return new Option(name, placeholder, kind, help, true, required);
    }

    /** The same option, which must be given. */
    public Option needed() {
        return new Option(name, placeholder, kind, help, repeatable, true);
    }

    public boolean takesValue() {
        return kind != Kind.FLAG;
    }

    public String dashed() {
        return "--".concat(name);
    }
}
