package dev.leasehold.cli.command;

import dev.leasehold.cli.args.CommandSpec;

/** One command of the program. */
public interface Command {
    CommandSpec spec();

    /**
     * Does it and returns the exit code. An exception is reported to the user and becomes an exit code.
     *
     * @throws Exception whatever went wrong
     */
    int run(Invocation invocation) throws Exception;
}
