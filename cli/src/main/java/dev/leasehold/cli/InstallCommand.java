package dev.leasehold.cli;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;

/**
 * {@code leasehold install}. In a checkout the launcher runs {@code packaging/install} instead,
 * except for the help.
 */
final class InstallCommand implements Command {
    @Override
    public CommandSpec spec() {
        return CommandSpec.of("install", "install the program of a source checkout")
                .description(
                        """
                        Installs the program as PREFIX/bin/leasehold, with its own Java runtime, man pages and completions.
                        An older installation there is replaced at once; programs that are running keep their files. Only a
                        source checkout has this command.""")
                .positional(Positional.of("PREFIX", Kind.FILE))
                .option(Option.flag("no-runtime", "use a JDK of this machine; the program then starts more slowly"))
                .option(Option.flag("remove", "remove the installation"))
                .withoutJson("the build of the program prints lines")
                .example("leasehold install ~/.local");
    }

    @Override
    public int run(Invocation invocation) {
        invocation
                .console()
                .error("this is an installation already: 'install' is for a source checkout. Nothing was installed");
        return ExitCode.UNAVAILABLE;
    }
}
