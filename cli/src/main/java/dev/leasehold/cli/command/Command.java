package dev.leasehold.cli.command;

import dev.leasehold.cli.args.CommandSpec;

/** One command of the program. It is created anew for each call. */
public interface Command {
    /** Declares the syntax of the command. */
    CommandSpec spec();

    /**
     * Runs the command and returns the exit code.
     *
     * @throws Exception is reported to the user and becomes an exit code
     */
    int run(Invocation invocation) throws Exception;
}
