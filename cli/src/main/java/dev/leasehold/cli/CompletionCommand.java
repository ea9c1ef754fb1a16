package dev.leasehold.cli;

import dev.leasehold.cli.args.BashCompletion;
import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.FishCompletion;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.args.ZshCompletion;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.output.Json;
import java.util.List;

/** {@code leasehold completion}: prints a completion script for a shell. */
final class CompletionCommand implements Command {
    @Override
    public CommandSpec spec() {
        return CommandSpec.of("completion", "print a completion script for bash, zsh or fish")
                .description(
                        """
                        Prints a script that completes commands, options, files, and the names of leases, jobs and keys that
                        the store has. For bash, put 'source <(leasehold completion bash)' into ~/.bashrc. For zsh, put
                        'source <(leasehold completion zsh)' into ~/.zshrc, after compinit. For fish, put
                        'leasehold completion fish | source' into ~/.config/fish/config.fish.""")
                .positional(Positional.of("bash|zsh|fish", Kind.CHOICE))
                .example("source <(leasehold completion bash)");
    }

    @Override
    public int run(Invocation invocation) {
        List<CommandSpec> specs = Commands.specs();
        String shell = invocation.arguments().positionals().get(0);
        String script =
                switch (shell) {
                    case "bash" -> BashCompletion.script(specs);
                    case "zsh" -> ZshCompletion.script(specs);
                    default -> FishCompletion.script(specs);
                };
        invocation
                .console()
                .print(
                        invocation.json()
                                ? new Json()
                                        .put("shell", shell)
                                        .put("script", script)
                                        .toString()
                                : script.stripTrailing());
        return ExitCode.OK;
    }
}
