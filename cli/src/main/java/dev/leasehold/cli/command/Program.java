package dev.leasehold.cli.command;

/** The implementation of a command in a module that is loaded only when the command is called. */
public interface Program {
    /**
     * Runs the command and returns the exit code.
     *
     * @throws Exception is reported to the user and becomes an exit code
     */
    int run(Invocation invocation) throws Exception;
}
