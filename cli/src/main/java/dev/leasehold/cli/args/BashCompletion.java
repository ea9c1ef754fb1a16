package dev.leasehold.cli.args;

import java.util.ArrayList;
import java.util.List;

/**
 * A completion script for bash 3.2 and later, derived from the specs. It never calls the program.
 */
public final class BashCompletion {
    private static final String HEAD =
            """
            # Completion for leasehold. Load it with: source <(leasehold completion bash)
            _leasehold() {
                local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
                local command='' separator=0 words='' pair='' i
                COMPREPLY=()
                # bash splits --option=value at the equals sign; put the halves back in their places.
                # --option NAME=value: pair is the option.
                if [ "$current" = '=' ]; then
                    current=''
                    [ "$COMP_CWORD" -lt 2 ] || pair=${COMP_WORDS[COMP_CWORD-2]}
                elif [ "$previous" = '=' ] && [ "$COMP_CWORD" -ge 2 ]; then
                    previous=${COMP_WORDS[COMP_CWORD-2]}
                    [ "$COMP_CWORD" -lt 3 ] || pair=${COMP_WORDS[COMP_CWORD-3]}
                fi
                for ((i = 1; i < COMP_CWORD; i++)); do
                    case ${COMP_WORDS[i]} in
                        --) separator=$i; break ;;
                        --store) [ -n "$command" ] || i=$((i + 1)) ;;
                        -*) ;;
                        *) [ -n "$command" ] || command=${COMP_WORDS[i]} ;;
                    esac
                done
            """;

    private static final String FOOT =
            """
                case $current in
                    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
                    *) _leasehold_files ;;
                esac
            }
            _leasehold_files() {
                local IFS=$'\\n'
                compopt -o filenames 2> /dev/null
                COMPREPLY+=($(compgen -f -- "$current"))
            }
            complete -F _leasehold leasehold
            """;

    private BashCompletion() {}

    public static String script(List<CommandSpec> specs) {
        List<String> names = new ArrayList<>();
        specs.forEach(spec -> names.add(spec.name()));
        StringBuilder script = new StringBuilder(HEAD);
        script.append("    local commands='").append(String.join(" ", names)).append("'\n");
        script.append("    if [ -z \"$command\" ]; then\n");
        script.append("        COMPREPLY=($(compgen -W \"$commands --version ").append(dashed(CommonOptions.ALL));
        script.append("\" -- \"$current\"))\n        return\n    fi\n");
        script.append("    case $command in\n");
        for (CommandSpec spec : specs) {
            script.append("        ").append(spec.name()).append(")\n");
            appendCommand(script, spec);
            script.append("            ;;\n");
        }
        script.append("        *) return ;;\n    esac\n");
        return script.append(FOOT).toString();
    }

    private static void appendCommand(StringBuilder script, CommandSpec spec) {
        if (spec.passthrough() != null) {
            script.append("            if [ \"$separator\" -gt 0 ]; then\n")
                    .append("                if [ $((COMP_CWORD - separator)) -eq 1 ]; then\n")
                    .append("                    COMPREPLY=($(compgen -c -- \"$current\"))\n")
                    .append("                fi\n")
                    .append("                _leasehold_files\n                return\n            fi\n");
        }
        List<Option> all = new ArrayList<>(spec.options());
        all.addAll(CommonOptions.ALL);
        for (Option option : all) {
            if (option.kind() == Kind.LEASE_AND_FILE) {
                script.append("            [ \"$pair\" != ").append(option.dashed());
                script.append(" ] || { _leasehold_files; return; }\n");
            }
        }
        script.append("            case $previous in\n");
        for (Option option : all) {
            if (option.takesValue()) {
                script.append("                ").append(option.dashed()).append(") ");
                script.append(value(option.kind(), option.placeholder())).append(" return ;;\n");
            }
        }
        script.append("            esac\n            words='")
                .append(dashed(all))
                .append("'\n");
        if (spec.positionals().isEmpty()) {
            script.append("            COMPREPLY=($(compgen -W \"$words\" -- \"$current\")); return\n");
        } else if (spec.positionals().get(0).kind() != Kind.FILE) {
            Positional first = spec.positionals().get(0);
            script.append("            case $current in -*) ;; *) ");
            script.append(value(first.kind(), first.name())).append(" return ;; esac\n");
        }
    }

    private static String value(Kind kind, String choices) {
        return switch (kind) {
            case FILE -> "_leasehold_files;";
            case CHOICE -> "COMPREPLY=($(compgen -W '" + choices.replace('|', ' ') + "' -- \"$current\"));";
            case COMMAND -> "COMPREPLY=($(compgen -W \"$commands\" -- \"$current\"));";
            default -> "";
        };
    }

    private static String dashed(List<Option> options) {
        List<String> words = new ArrayList<>();
        options.forEach(option -> words.add(option.dashed()));
        return String.join(" ", words);
    }
}
