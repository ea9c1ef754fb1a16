package dev.leasehold.cli.command;

/** What a command does, where that is in a module which is loaded only when the command is asked for. */
public interface Program {
    /**
     * Does it and returns the exit code.
     *
     * @throws Exception whatever went wrong
     */
    int run(Invocation invocation) throws Exception;
}
