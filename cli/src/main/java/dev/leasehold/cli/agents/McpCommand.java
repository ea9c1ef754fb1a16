package dev.leasehold.cli.agents;

import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.child.Signals;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.cli.output.SafeText;
import dev.leasehold.internal.SystemContext;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.mcp.McpCaller;
import dev.leasehold.mcp.McpService;
import dev.leasehold.mcp.McpStdio;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.Holder;
import dev.leasehold.spi.LeaseStore;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** {@code leasehold mcp}: offers leases to an agent over stdin and stdout. */
public final class McpCommand implements Command {
    private static final Duration LONGEST_KEEPING = Duration.ofHours(24);
    private static final Duration KEEPING = Duration.ofHours(1);

    private static final Option ROOT = Option.of(
                    "root", "DIR", Kind.FILE, "let write_file write in this directory (default: it writes nothing)")
            .repeated();
    private static final Option KEEP_ALIVE = Option.of(
            "keep-alive-max",
            "D",
            Kind.DURATION,
            "how long keep_alive renews a lease at most (default: " + DurationText.show(KEEPING) + ")");

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("mcp", "offer leases to an agent, as a server of the Model Context Protocol")
                .description(
                        """
                        Speaks the Model Context Protocol on stdin and stdout, in its versions 2025-06-18, 2025-11-25 and
                        2026-07-28. An agent starts it; docs/mcp.md has the settings for common ones. Its tools acquire
                        and release leases, report progress, write files that refuse a stale lease, and record work that
                        must be done once. Leases that the agent asks it to keep alive are renewed until it ends, and then
                        released; all others last until their ttl. It ends with its input, or with INT, TERM or HUP. A
                        server ('leasehold serve') offers the tools at /mcp, without files and without keep_alive.""")
                .withoutJson("stdout belongs to the protocol, which is JSON anyway")
                .option(ROOT)
                .option(KEEP_ALIVE)
                .option(SharedOptions.HOLDER)
                .example("leasehold mcp --store file:/shared/leases --root ./src");
    }

    @Override
    public int run(Invocation invocation) throws InterruptedException {
        Arguments arguments = invocation.arguments();
        Duration keeping = keeping(arguments);
        List<Path> roots = roots(arguments);
        try (LeaseStore store = invocation.openStore();
                McpService service = service(invocation, store, keeping, roots)) {
            McpStdio stdio = new McpStdio(
                    service,
                    McpCaller.everything(holder(invocation)),
                    invocation.console().in(),
                    invocation.console().out());
            try (Signals handlers = Signals.forward(signal -> end(signal, stdio))) {
                stdio.serve();
            }
        }
        return ExitCode.OK;
    }

    private static McpService service(Invocation invocation, LeaseStore store, Duration keeping, List<Path> roots) {
        try {
            return McpService.over(store)
                    .roots(roots)
                    .keepAlive(keeping)
                    .log((what, why) -> invocation.console().error(what + ": " + why.getMessage()))
                    .build();
        } catch (IOException e) {
            throw new UsageException(
                    "--root: one of the directories does not exist, or is not a directory: "
                            + SafeText.quote(
                                    String.join(", ", invocation.arguments().all(ROOT))),
                    e);
        }
    }

    /** A user's signal does not end a server. */
    private static void end(String signal, McpStdio stdio) {
        if (!signal.equals("USR1")) {
            stdio.stop();
        }
    }

    private static Holder holder(Invocation invocation) {
        Holder given = SharedOptions.holder(invocation);
        return given == null ? SystemContext.defaultHolder(new SystemIds()) : given;
    }

    private static Duration keeping(Arguments arguments) {
        Duration keeping = arguments.duration(KEEP_ALIVE, KEEPING);
        if (keeping.compareTo(Duration.ofSeconds(1)) < 0 || keeping.compareTo(LONGEST_KEEPING) > 0) {
            throw new UsageException("--keep-alive-max " + arguments.text(KEEP_ALIVE)
                    + " is out of range: it must be between 1s and " + DurationText.show(LONGEST_KEEPING));
        }
        return keeping;
    }

    private static List<Path> roots(Arguments arguments) {
        List<Path> roots = new ArrayList<>();
        for (String text : arguments.all(ROOT)) {
            try {
                roots.add(Path.of(text));
            } catch (InvalidPathException e) {
                throw new UsageException("--root " + SafeText.quote(text) + " is not a path of this system", e);
            }
            if (text.isEmpty()) {
                throw new UsageException("--root is empty: name a directory");
            }
        }
        return roots;
    }
}
