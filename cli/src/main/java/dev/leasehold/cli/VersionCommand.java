package dev.leasehold.cli;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.Invocation;
import java.io.IOException;

/** {@code leasehold version}. */
final class VersionCommand implements Command {
    @Override
    public CommandSpec spec() {
        return CommandSpec.of("version", "show the version of the program")
                .description(
                        "Prints the name of the program and its version on one line, as 'leasehold --version' does.")
                .example("leasehold version");
    }

    @Override
    public int run(Invocation invocation) throws IOException {
        return Version.print(invocation.console(), invocation.json());
    }
}
