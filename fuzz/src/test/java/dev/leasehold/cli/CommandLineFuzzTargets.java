package dev.leasehold.cli;

import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.CommonOptions;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.args.Parser;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.ShownGrant;
import dev.leasehold.cli.command.StoreUrl;
import dev.leasehold.cli.output.Console;
import dev.leasehold.cli.output.Json;
import dev.leasehold.cli.output.SafeText;
import dev.leasehold.cli.run.CheckCommand;
import dev.leasehold.fuzz.FuzzTarget;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Command lines and environment variables. A {@code |} separates words, so that words may contain
 * blanks.
 */
public final class CommandLineFuzzTargets {
    private static final PrintStream NOWHERE =
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);

    private CommandLineFuzzTargets() {}

    public static List<FuzzTarget> all() {
        return List.of(
                usage(
                        "command line",
                        CommandLineFuzzTargets::commandLine,
                        "run|nightly|--ttl|90s|--guard=page|--|true",
                        "--store|memory:|acquire|nightly|--wait|5s",
                        "renew|nightly|--token|7|--json",
                        "soak|--minutes|0.5"),
                usage(
                        "environment",
                        CommandLineFuzzTargets::environment,
                        "nightly|7|lh1;7;attempt-0001;store-0001;nightly",
                        "nightly|7|"),
                usage("store URL", CommandLineFuzzTargets::storeUrl, "file:/shared/leases", "redis://u:p@h/0"),
                usage("text to show", CommandLineFuzzTargets::show, "plain", "\u001b[2Jred", "caf\u00e9 \u202e"));
    }

    private static FuzzTarget usage(String name, FuzzTarget.Reader reader, String... seeds) {
        return FuzzTarget.of(name, UsageException.class, reader, seeds);
    }

    /** Parses a command line without running it. */
    private static void commandLine(String text) {
        String[] args = text.split("\\|", -1);
        int index = CommonOptions.commandIndex(args);
        Command command = index < args.length ? Commands.named(args[index]) : null;
        if (command == null) {
            throw Main.unknown(index < args.length ? args[index] : "");
        }
        CommandSpec spec = command.spec();
        Arguments arguments = Parser.parse(spec, args, index);
        for (Option option : spec.options()) {
            if (option.kind() == Kind.DURATION) {
                arguments.duration(option);
            } else if (option.kind() == Kind.NUMBER) {
                arguments.number(option, 0, Long.MAX_VALUE, 0);
            } else if (option.kind() == Kind.LEASE_NAME) {
                arguments.leaseName(option);
            }
        }
        if (!arguments.positionals().isEmpty()) {
            arguments.leaseName(0);
        }
    }

    private static void environment(String text) {
        String[] parts = text.split("\\|", 3);
        Map<String, String> environment = new HashMap<>();
        environment.put("LEASEHOLD_NAME", parts[0]);
        environment.put("LEASEHOLD_TOKEN", parts.length > 1 ? parts[1] : "");
        environment.put("LEASEHOLD_GRANT", parts.length > 2 ? parts[2] : "");
        Arguments none = Parser.parse(new CheckCommand().spec(), new String[] {"check", "--help"}, 0);
        Console console = new Console(InputStream.nullInputStream(), NOWHERE, NOWHERE);
        ShownGrant.ofPositional(new Invocation(none, environment, console));
    }

    private static void storeUrl(String text) {
        String url = StoreUrl.absolute(StoreUrl.typed(text));
        FuzzTarget.requireSame(url, StoreUrl.absolute(url));
    }

    private static void show(String text) {
        requirePlain(SafeText.escape(text));
        requirePlain(SafeText.quote(text));
        requirePlain(new Json().put("text", text).toString());
        FuzzTarget.requireBelow(SafeText.quote(text).length(), 100);
        FuzzTarget.requireBelow(SafeText.escape(text).length(), 6L * text.length());
    }

    private static void requirePlain(String text) {
        FuzzTarget.requireSame(true, text.chars().allMatch(c -> c >= 0x20 && c <= 0x7e));
    }
}
