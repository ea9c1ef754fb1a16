package dev.leasehold.cli.args;

import java.util.ArrayList;
import java.util.List;

/**
 * A completion script for bash 3.2 and later, derived from the specs. It calls the program only for
 * the names that a store has. Such a name is data: it is compared, quoted and never expanded.
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
                        --store)
                            [ -z "$command" ] || continue
                            i=$((i + 1))
                            # bash splits a URL too.
                            while case "${COMP_WORDS[i]} ${COMP_WORDS[i+1]-}" in [:=@]* | *' '[:=@]*) ;; *) false ;; esac; do
                                i=$((i + 1))
                            done
                            ;;
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
            _leasehold_names() {
                local program=${COMP_WORDS[0]} line=${COMP_LINE-} store=${LEASEHOLD_STORE-} typed name
                typed=${line:0:${COMP_POINT-0}}
                typed=${typed##*[[:space:]]}
                case $typed in --*=*) typed=${typed#*=} ;; esac
                # A word in quotes is not completed.
                case $typed in *"$current") ;; *) return ;; esac
                # bash completes only what follows such a character.
                case $current in [:=@]) current='' ;; esac
                case $program in '~/'*) program=$HOME/${program:2} ;; esac
                [[ ! $line =~ [[:space:]]--store[=[:space:]]+([^[:space:]]+) ]] || store=${BASH_REMATCH[1]}
                while IFS= read -r name; do
                    case $name in "$typed"*) ;; *) continue ;; esac
                    printf -v name %q "${name#"${typed%"$current"}"}"
                    COMPREPLY+=("$name")
                done < <([ -z "$store" ] || export LEASEHOLD_STORE="$store"
                    exec "$program" COMMAND "$1" 2> /dev/null < /dev/null)
            }
            complete -F _leasehold leasehold
            """
                    .replace("COMMAND", CompletedNames.COMMAND);

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
        all.addAll(spec.commonOptions());
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
            case LEASE_NAME, JOB_NAME, WORK_KEY, LEASE_AND_FILE -> "_leasehold_names " + CompletedNames.of(kind) + ";";
            default -> "";
        };
    }

    private static String dashed(List<Option> options) {
        List<String> words = new ArrayList<>();
        options.forEach(option -> words.add(option.dashed()));
        return String.join(" ", words);
    }
}
