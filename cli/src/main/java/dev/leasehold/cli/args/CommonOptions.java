package dev.leasehold.cli.args;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The options that every command takes; some refuse {@code --json}. */
public final class CommonOptions {
    public static final Option STORE = Option.of(
            "store",
            "URL",
            Kind.URL,
            "where leases are kept (default: $LEASEHOLD_STORE, else that of leasehold.conf, else a directory of this user)");
    public static final Option JSON =
            Option.flag("json", "print JSON on stdout: one object, or one per line for lists");
    public static final Option QUIET = Option.flag("quiet", "print only errors");
    public static final Option DEBUG = Option.flag("debug", "show the stack trace of an error");
    public static final Option HELP = Option.flag("help", "show this help");

    public static final List<Option> ALL = List.of(STORE, JSON, QUIET, DEBUG, HELP);

    /** Those of a command whose stdout belongs to somebody else. */
    static final List<Option> WITHOUT_JSON = List.of(STORE, QUIET, DEBUG, HELP);

    private CommonOptions() {}

    /**
     * The index of the command's name. Common options may precede it, so that an alias can set the
     * store.
     *
     * @return the number of arguments if they contain no command
     */
    public static int commandIndex(String[] args) {
        int i = 0;
        while (i < args.length && args[i].startsWith("--") && named(args[i]) != null) {
            i += args[i].equals("--store") ? 2 : 1;
        }
        return Math.min(i, args.length);
    }

    /** Whether the user gave a flag; the command line may be one that cannot be parsed. */
    public static boolean isGiven(Option flag, String[] args) {
        for (String argument : args) {
            if (argument.equals("--")) {
                return false;
            }
            if (argument.equals(flag.dashed())) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable Option named(String argument) {
        int equals = argument.indexOf('=');
        String name = equals < 0 ? argument.substring(2) : argument.substring(2, equals);
        for (Option option : ALL) {
            if (option.name().equals(name)) {
                return option;
            }
        }
        return null;
    }
}
