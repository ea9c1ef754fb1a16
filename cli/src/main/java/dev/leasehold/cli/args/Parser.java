package dev.leasehold.cli.args;

import dev.leasehold.cli.output.SafeText;
import dev.leasehold.internal.Nearest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parses a command line by its {@link CommandSpec}. Options and positionals may be mixed,
 * {@code --opt value} and {@code --opt=value} are equivalent, and {@code --} ends the options.
 */
public final class Parser {
    private final CommandSpec spec;
    private final Arguments result = new Arguments();

    private Parser(CommandSpec spec) {
        this.spec = spec;
    }

    /**
     * Parses the arguments of one command.
     *
     * @param commandIndex the index of the command's name, which is not one of its arguments
     * @throws UsageException if the arguments are invalid; with {@code --help} only unknown options
     *     are
     */
    public static Arguments parse(CommandSpec spec, String[] args, int commandIndex) {
        Parser parser = new Parser(spec);
        parser.read(args, commandIndex);
        if (!parser.result.has(CommonOptions.HELP)) {
            parser.checkOptions();
            parser.checkPositionals();
        }
        return parser.result;
    }

    private void read(String[] args, int commandIndex) {
        int i = 0;
        while (i < args.length) {
            String argument = args[i];
            if (i == commandIndex) {
                i++;
            } else if (argument.equals("--")) {
                readRest(args, i + 1);
                return;
            } else if (argument.equals("-h")) {
                result.add(CommonOptions.HELP, "");
                i++;
            } else if (argument.startsWith("-") && argument.length() > 1) {
                i += readOption(argument, i + 1 < args.length ? args[i + 1] : null);
            } else {
                result.positionals().add(argument);
                i++;
            }
        }
    }

    private void readRest(String[] args, int from) {
        List<String> to = spec.passthrough() == null ? result.positionals() : result.passthrough();
        for (int i = from; i < args.length; i++) {
            to.add(args[i]);
        }
        if (spec.passthrough() != null) {
            result.sawSeparator();
        }
    }

    /** Returns the number of arguments consumed. */
    private int readOption(String argument, @Nullable String next) {
        int equals = argument.indexOf('=');
        String dashed = equals < 0 ? argument : argument.substring(0, equals);
        Option option = dashed.startsWith("--") ? spec.find(dashed.substring(2)) : spec.findShort(dashed.substring(1));
        if (option == null) {
            throw unknown(dashed);
        }
        if (result.has(option) && !option.repeatable()) {
            throw new UsageException(dashed + " is given twice");
        }
        if (!option.takesValue()) {
            if (equals >= 0) {
                throw new UsageException(dashed + " takes no value");
            }
            result.add(option, "");
            return 1;
        }
        if (equals >= 0) {
            result.add(option, checked(option, argument.substring(equals + 1)));
            return 1;
        }
        if (next == null || looksLikeOption(next)) {
            throw new UsageException(dashed + " needs a value: " + dashed + " " + option.placeholder()
                    + (next == null ? "" : " (write " + dashed + "=VALUE if the value starts with --)"));
        }
        result.add(option, checked(option, next));
        return 2;
    }

    /** Only a known option counts: a note may start with dashes. */
    private boolean looksLikeOption(String text) {
        if (!text.startsWith("--")) {
            return false;
        }
        int equals = text.indexOf('=');
        return text.length() == 2 || spec.find(equals < 0 ? text.substring(2) : text.substring(2, equals)) != null;
    }

    private static String checked(Option option, String value) {
        if (option.kind() == Kind.CHOICE && !isOneOf(option.placeholder(), value)) {
            throw new UsageException(option.dashed() + " " + SafeText.quote(value) + " is not one of "
                    + option.placeholder().replace("|", ", "));
        }
        return value;
    }

    static boolean isOneOf(String choices, String value) {
        int from = 0;
        while (from <= choices.length()) {
            int bar = choices.indexOf('|', from);
            int end = bar < 0 ? choices.length() : bar;
            if (choices.substring(from, end).equals(value)) {
                return true;
            }
            from = end + 1;
        }
        return false;
    }

    private UsageException unknown(String dashed) {
        List<String> candidates = new ArrayList<>();
        for (Option option : spec.options()) {
            candidates.add(option.name());
        }
        for (Option option : CommonOptions.ALL) {
            candidates.add(option.name());
        }
        String typed = dashed.substring(dashed.startsWith("--") ? 2 : 1);
        String reason = spec.reasonAgainst(typed);
        if (reason != null) {
            return new UsageException(SafeText.show(dashed) + ": " + reason);
        }
        return new UsageException(
                "unknown option " + SafeText.show(dashed) + Nearest.suggestion(typed, candidates, "--"));
    }

    private void checkOptions() {
        String against = spec.reasonAgainstJson();
        if (against != null && result.has(CommonOptions.JSON)) {
            throw new UsageException("--json cannot be used: " + against);
        }
        for (Option option : spec.options()) {
            if (option.required() && !result.has(option)) {
                throw new UsageException(option.dashed() + " " + option.placeholder() + " is missing");
            }
        }
    }

    private void checkPositionals() {
        List<Positional> wanted = spec.positionals();
        List<String> given = result.positionals();
        boolean variadic = !wanted.isEmpty() && wanted.get(wanted.size() - 1).variadic();
        if (given.size() > wanted.size() && !variadic) {
            throw new UsageException(
                    spec.passthrough() != null && !result.hasSeparator()
                            ? "write -- before the command to run, to separate its options from ours"
                            : "unexpected argument " + SafeText.quote(given.get(wanted.size())));
        }
        if (given.size() < wanted.size() && wanted.get(given.size()).required()) {
            throw new UsageException(wanted.get(given.size()).name() + " is missing");
        }
        for (int i = 0; i < Math.min(given.size(), wanted.size()); i++) {
            Positional positional = wanted.get(i);
            if (positional.kind() == Kind.CHOICE && !isOneOf(positional.name(), given.get(i))) {
                throw new UsageException(SafeText.quote(given.get(i)) + " is not one of "
                        + positional.name().replace("|", ", "));
            }
        }
        if (spec.passthrough() != null && result.passthrough().isEmpty()) {
            throw new UsageException("no command to run is given: write it after --");
        }
    }
}
