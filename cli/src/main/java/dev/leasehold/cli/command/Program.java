package dev.leasehold.cli.command;

/** What a command does. Without a {@link Command} around it, it is in a module that is loaded on demand. */
public interface Program {
    /**
     * Runs the command and returns the exit code.
     *
     * @throws Exception is reported to the user and becomes an exit code
     */
    int run(Invocation invocation) throws Exception;
}
