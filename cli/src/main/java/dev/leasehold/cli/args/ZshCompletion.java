package dev.leasehold.cli.args;

import java.util.List;

/**
 * A completion script for zsh, derived from the specs. It calls the program only for the names that
 * a store has, which zsh quotes.
 */
public final class ZshCompletion {
    private static final String HEAD =
            """
            #compdef leasehold
            # Completion for leasehold. Load it with: source <(leasehold completion zsh), after compinit.
            _leasehold() {
                local context state state_descr line program=${(Q)words[1]}
                local -a commands
                typeset -A opt_args
            """;

    private static final String FOOT =
            """
                    esac
                    ;;
                esac
            }
            # Behind a separator, the words are another command.
            _leasehold_command() {
                local -i at=${words[(i)--]}
                (( at < CURRENT )) || return 1
                words=("${(@)words[at+1,-1]}")
                (( CURRENT -= at ))
                _normal
                return 0
            }
            _leasehold_names() {
                local store=${${(M)words:#--store=*}[1]#--store=}
                local -i at=${words[(i)--store]}
                local -a names
                (( at + 1 >= CURRENT )) || store=${words[at+1]}
                store=${(Q)store:-${(Q)given:-$LEASEHOLD_STORE}}
                names=(${(f)"$(
                    [[ -z $store ]] || export LEASEHOLD_STORE=$store
                    exec "${program/#\\~\\//$HOME/}" COMMAND "$1" 2> /dev/null < /dev/null
                )"})
                (( $#names )) && compadd -a names
            }
            if [ "${funcstack[1]}" = _leasehold ]; then
                _leasehold "$@"
            else
                compdef _leasehold leasehold
            fi
            """
                    .replace("COMMAND", CompletedNames.COMMAND);

    private ZshCompletion() {}

    public static String script(List<CommandSpec> specs) {
        StringBuilder script = new StringBuilder(HEAD).append("    commands=(\n");
        for (CommandSpec spec : specs) {
            script.append("        ")
                    .append(quoted(spec.name() + ":" + escaped(spec.summary())))
                    .append('\n');
        }
        script.append("    )\n    _arguments -C -A '-*' '--version[show the version]'");
        appendOptions(script, CommonOptions.ALL);
        script.append(
                " \\\n        '1:command:->command' '*::argument:->arguments'\n    local given=${opt_args[--store]}\n    case $state in\n");
        script.append("        command) _describe -t commands command commands ;;\n");
        script.append("        arguments)\n            case ${words[1]} in\n");
        for (CommandSpec spec : specs) {
            script.append("                ").append(spec.name()).append(") ");
            script.append(spec.passthrough() == null ? "" : "_leasehold_command || ")
                    .append("_arguments -S");
            appendOptions(script, spec.options());
            appendOptions(script, spec.commonOptions());
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
    }

    private static String action(Kind kind, String choices) {
        return switch (kind) {
            case FILE -> "_files";
            case LEASE_AND_FILE -> "{compset -P \"*=\" && _files || _leasehold_names leases}";
            case LEASE_NAME, JOB_NAME, WORK_KEY -> "{_leasehold_names " + CompletedNames.of(kind) + "}";
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
