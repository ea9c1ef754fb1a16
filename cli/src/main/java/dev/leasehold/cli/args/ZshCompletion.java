package dev.leasehold.cli.args;

import java.util.List;

/** A completion script for zsh, derived from the specs. */
public final class ZshCompletion {
    private static final String HEAD =
            """
            #compdef leasehold
            # Completion for leasehold. Load it with: source <(leasehold completion zsh), after compinit.
            _leasehold() {
                local context state state_descr line
                local -a commands
                typeset -A opt_args
            """;

    private static final String FOOT =
            """
                    esac
                    ;;
                esac
            }
            if [ "${funcstack[1]}" = _leasehold ]; then
                _leasehold "$@"
            else
                compdef _leasehold leasehold
            fi
            """;

    private ZshCompletion() {}

    public static String script(List<CommandSpec> specs) {
        StringBuilder script = new StringBuilder(HEAD).append("    commands=(\n");
        for (CommandSpec spec : specs) {
            script.append("        ")
                    .append(quoted(spec.name() + ":" + escaped(spec.summary())))
                    .append('\n');
        }
        script.append("    )\n    _arguments -C '--version[show the version]'");
        appendOptions(script, CommonOptions.ALL);
        script.append(" \\\n        '1:command:->command' '*::argument:->arguments'\n    case $state in\n");
        script.append("        command) _describe -t commands command commands ;;\n");
        script.append("        arguments)\n            case ${words[1]} in\n");
        for (CommandSpec spec : specs) {
            script.append("                ").append(spec.name()).append(") _arguments -S");
            appendOptions(script, spec.options());
            appendOptions(script, CommonOptions.ALL);
            appendPositionals(script, spec);
            script.append(" ;;\n");
        }
        return script.append(FOOT).toString();
    }

    private static void appendOptions(StringBuilder script, List<Option> options) {
        for (Option option : options) {
            String text = (option.repeatable() ? "*" : "") + option.dashed() + (option.takesValue() ? "=" : "") + "["
                    + escaped(option.help()) + "]";
            if (option.takesValue()) {
                text += ":" + escaped(option.placeholder()) + ":" + action(option.kind(), option.placeholder());
            }
            script.append(" \\\n        ").append(quoted(text));
        }
    }

    private static void appendPositionals(StringBuilder script, CommandSpec spec) {
        int place = 1;
        for (Positional positional : spec.positionals()) {
            String text = (positional.variadic() ? "*" : place + (positional.required() ? "" : ":")) + ":"
                    + escaped(positional.name()) + ":" + action(positional.kind(), positional.name());
            script.append(" \\\n        ").append(quoted(text));
            place++;
        }
        if (spec.passthrough() != null) {
            script.append(" \\\n        ").append(quoted("*::command:_normal"));
        }
    }

    private static String action(Kind kind, String choices) {
        return switch (kind) {
            case FILE -> "_files";
            case LEASE_AND_FILE -> "{compset -P \"*=\" && _files}";
            case CHOICE -> "(" + choices.replace('|', ' ') + ")";
            case COMMAND -> "{_describe -t commands command commands}";
            default -> "";
        };
    }

    /** Escapes the separators of a zsh specification: colons and brackets. */
    private static String escaped(String text) {
        StringBuilder safe = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == ':' || c == '[' || c == ']' || c == '\\') {
                safe.append('\\');
            }
            safe.append(c);
        }
        return safe.toString();
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
