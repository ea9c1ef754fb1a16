package dev.leasehold.cli.output;

/** How a message about the program becomes a line of its output. */
@FunctionalInterface
public interface MessageStyle {
    /** As every command prints it. */
    MessageStyle PREFIXED = (message, error) -> "leasehold: ".concat(message);

    /**
     * @param message without secrets and control characters
     * @param error whether it is printed even when quiet
     */
    String line(String message, boolean error);
}
