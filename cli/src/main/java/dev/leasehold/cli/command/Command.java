package dev.leasehold.cli.command;

import dev.leasehold.cli.args.CommandSpec;

/** One command of the program. It is created anew for each call. */
public interface Command extends Program {
    /** Declares the syntax of the command. */
    CommandSpec spec();
}
