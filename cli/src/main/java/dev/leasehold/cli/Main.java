package dev.leasehold.cli;

import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.CommonOptions;
import dev.leasehold.cli.args.Parser;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.output.Console;
import dev.leasehold.cli.output.SafeText;
import dev.leasehold.cli.output.Stdout;
import dev.leasehold.internal.Nearest;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.Map;

/** The entry point of the command line. */
public final class Main {
    private static volatile Console console = new Console(System.in, System.out, System.err);

    private Main() {}

    /** Runs one command and exits with its code. */
    public static void main(String[] args) {
        configureLog();
        Stdout out = Stdout.open();
        console = new Console(System.in, out, System.err);
        int code = execute(args, System.getenv(), console);
        out.flush();
        exit(code);
    }

    /** The console of this process. */
    static Console console() {
        return console;
    }

    /** The name of {@link LogLines.Configuration}, and not the class, which a command should not load. */
    private static void configureLog() {
        String property = "java.util.logging.config.";
        if (System.getProperty(property + "file") == null && System.getProperty(property + "class") == null) {
            System.setProperty(property + "class", "dev.leasehold.cli.LogLines$Configuration");
        }
    }

    /**
     * System.exit first looks for a logger in every jar, which takes a third of the time of a short command. The launcher
     * asks for the direct way where no library has something left to do at the end.
     */
    private static void exit(int code) {
        if (System.getProperty("leasehold.exit", "").equals("at-once")) {
            System.err.flush();
            Runtime.getRuntime().halt(code);
        }
        System.exit(code);
    }

    /** Runs one command and returns its exit code. Failures become exit codes too. */
    public static int execute(
            String[] args, Map<String, String> environment, InputStream in, PrintStream out, PrintStream err) {
        return execute(args, environment, new Console(in, out, err));
    }

    @SuppressWarnings("CatchingUnchecked")
    private static int execute(String[] args, Map<String, String> environment, Console console) {
        int commandIndex = CommonOptions.commandIndex(args);
        String name = commandIndex < args.length ? args[commandIndex] : "";
        try {
            int code =
                    switch (name) {
                        case "--version" -> Version.print(console, CommonOptions.isGiven(CommonOptions.JSON, args));
                        case "-h" -> HelpCommand.overview(console, CommonOptions.isGiven(CommonOptions.JSON, args));
                        case "" -> withoutCommand(args, console);
                        default -> dispatch(name, args, commandIndex, environment, console);
                    };
            if (code != ExitCode.OK) {
                Failures.answer(code, args, console);
            }
            return console.reportLostAnswer(code) && code == ExitCode.OK ? ExitCode.UNAVAILABLE : code;
        } catch (Exception | LinkageError | VirtualMachineError | AssertionError e) {
            return Failures.report(e, args, commandIndex, console);
        }
    }

    private static int withoutCommand(String[] args, Console console) {
        if (CommonOptions.isGiven(CommonOptions.HELP, args)) {
            return HelpCommand.overview(console, CommonOptions.isGiven(CommonOptions.JSON, args));
        }
        throw new UsageException("no command is given");
    }

    private static int dispatch(
            String name, String[] args, int commandIndex, Map<String, String> environment, Console console)
            throws Exception {
        Command command = Commands.named(name);
        if (command == null) {
            throw unknown(name);
        }
        CommandSpec spec = command.spec();
        Arguments arguments = Parser.parse(spec, args, commandIndex);
        if (arguments.has(CommonOptions.HELP)) {
            return HelpCommand.about(spec, console, arguments.has(CommonOptions.JSON));
        }
        if (arguments.has(CommonOptions.QUIET)) {
            console.beQuiet();
        }
        return command.run(new Invocation(arguments, environment, console));
    }

    static UsageException unknown(String name) {
        String what = name.startsWith("-") ? "unknown option " : "unknown command ";
        return new UsageException(what + SafeText.quote(name) + Nearest.suggestion(name, Commands.names(), ""));
    }
}
