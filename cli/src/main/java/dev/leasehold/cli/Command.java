package dev.leasehold.cli;

import dev.leasehold.cli.args.CommandSpec;

/** One command of the program. */
interface Command {
    CommandSpec spec();

    /**
     * Does it and returns the exit code. Exceptions are told to the user and turned into codes by {@link Failures}.
     *
     * @throws Exception whatever went wrong
     */
    int run(Invocation invocation) throws Exception;
}
