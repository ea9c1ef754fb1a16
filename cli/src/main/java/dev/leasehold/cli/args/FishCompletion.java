package dev.leasehold.cli.args;

import java.util.List;

/**
 * A completion script for fish, derived from the specs. It calls the program only for the names that
 * a store has, which fish quotes.
 */
public final class FishCompletion {
    private static final String HEAD =
            """
            # Completion for leasehold. Load it with: leasehold completion fish | source
            function __leasehold_command --description 'the command on the line, before a separator'
                set -l words (commandline -opc)
                contains -- -- $words; and return 1
                set -e words[1]
                while set -q words[1]
                    switch $words[1]
                        case --store
                            set -e words[1]
                        case '-*'
                        case '*'
                            echo -- $words[1]
                            return 0
                    end
                    set -e words[1]
                end
                return 1
            end
            function __leasehold_begins --description 'no command yet'
                contains -- -- (commandline -opc); and return 1
                not __leasehold_command > /dev/null
            end
            function __leasehold_is
                test "$(__leasehold_command)" = $argv[1]
            end
            function __leasehold_separated
                contains -- -- (commandline -opc)
            end
            function __leasehold_rest --description 'the completions of the command behind a separator'
                set -l words (commandline -opc)
                set -l at (contains -i -- -- $words)
                set -e words[1..$at]
                complete -C (string join ' ' -- (string escape -- $words) (commandline -ct))
            end
            function __leasehold_names
                set -l words (commandline -opc)
                set -l at (contains -i -- --store $words)
                and set -q words[(math $at + 1)]; and set -l store $words[(math $at + 1)]
                set -q store[1]; or set -l store (string replace -f -- --store= '' $words)
                set -q store[1]; and set -lx LEASEHOLD_STORE $store[1]
                set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
                $program COMMAND $argv[1] 2> /dev/null < /dev/null
            end
            complete -c leasehold -e
            complete -c leasehold -f
            complete -c leasehold -n __leasehold_separated -a '(__leasehold_rest)'
            complete -c leasehold -n __leasehold_begins -l version -d 'show the version'
            """
                    .replace("COMMAND", CompletedNames.COMMAND);

    private FishCompletion() {}

    public static String script(List<CommandSpec> specs) {
        StringBuilder script = new StringBuilder(HEAD);
        script.append("function __leasehold_without_json\n    contains -- \"$(__leasehold_command)\"");
        for (CommandSpec spec : specs) {
            script.append(spec.reasonAgainstJson() == null ? "" : " " + spec.name());
        }
        script.append("\nend\n");
        for (CommandSpec spec : specs) {
            line(script, "__leasehold_begins", "-a " + spec.name() + " -d " + quoted(spec.summary()));
        }
        for (Option option : CommonOptions.ALL) {
            String without = CommonOptions.WITHOUT_JSON.contains(option) ? "" : "; and not __leasehold_without_json";
            line(script, "'not __leasehold_separated" + without + "'", option(option, specs));
        }
        for (CommandSpec spec : specs) {
            String condition = "'__leasehold_is " + spec.name() + "'";
            for (Option option : spec.options()) {
                line(script, condition, option(option, specs));
            }
            if (!spec.positionals().isEmpty()) {
                Positional first = spec.positionals().get(0);
                String values = values(first.kind(), first.name(), specs);
                if (!values.isEmpty()) {
                    line(script, condition, values);
                }
            }
        }
        return script.toString();
    }

    private static void line(StringBuilder script, String condition, String rest) {
        script.append("complete -c leasehold -n ").append(condition).append(' ');
        script.append(rest).append('\n');
    }

    private static String option(Option option, List<CommandSpec> specs) {
        String text = "-l " + option.name() + (option.letter().isEmpty() ? "" : " -s " + option.letter());
        text += " -d " + quoted(option.help());
        if (!option.takesValue()) {
            return text;
        }
        String values = values(option.kind(), option.placeholder(), specs);
        return text + " -r" + (values.isEmpty() ? " -f" : " " + values);
    }

    private static String values(Kind kind, String choices, List<CommandSpec> specs) {
        return switch (kind) {
            case FILE -> "-F";
            case CHOICE -> "-f -a '" + choices.replace('|', ' ') + "'";
            case COMMAND -> {
                List<String> names = specs.stream().map(CommandSpec::name).toList();
                yield "-f -a '" + String.join(" ", names) + "'";
            }
            case LEASE_NAME, JOB_NAME, WORK_KEY -> "-f -a '(__leasehold_names " + CompletedNames.of(kind) + ")'";
            // fish completes the file behind NAME= by itself.
            case LEASE_AND_FILE -> "-F -a '(__leasehold_names " + CompletedNames.of(kind) + ")'";
            default -> "";
        };
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
