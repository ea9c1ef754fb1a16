package dev.leasehold.cli.args;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The syntax of one command, from which parsing, help and completion derive. Declared once, then
 * only read.
 */
public final class CommandSpec {
    private final String name;
    private final String summary;
    private final List<Positional> positionals = new ArrayList<>(2);
    private final List<Option> options = new ArrayList<>(16);
    private final List<String> refusedOptions = new ArrayList<>(0);
    private final List<String> notes = new ArrayList<>(1);
    private String description = "";
    private String example = "";
    private @Nullable String passthrough;
    private @Nullable String reasonAgainstJson;

    private CommandSpec(String name, String summary) {
        this.name = name;
        this.summary = summary;
    }

    /** @param summary a few words for the overview */
    public static CommandSpec of(String name, String summary) {
        return new CommandSpec(name, summary);
    }

    /** One paragraph for the help of the command; its line breaks are ignored. */
    public CommandSpec description(String text) {
        description = text;
        return this;
    }

    public CommandSpec positional(Positional positional) {
        positionals.add(positional);
        return this;
    }

    public CommandSpec option(Option option) {
        options.add(option);
        return this;
    }

    /** An option that users may expect, and the reason why it does not exist. */
    public CommandSpec never(String optionName, String why) {
        refusedOptions.add(optionName);
        refusedOptions.add(why);
        return this;
    }

    /** Why there is no option of that name, or null if no reason was declared. */
    public @Nullable String reasonAgainst(String optionName) {
        int index = refusedOptions.indexOf(optionName);
        return index < 0 ? null : refusedOptions.get(index + 1);
    }

    /** The command refuses {@code --json}, for this reason. */
    public CommandSpec withoutJson(String why) {
        reasonAgainstJson = why;
        return this;
    }

    /** Why the command refuses {@code --json}; null if it answers in JSON. */
    public @Nullable String reasonAgainstJson() {
        return reasonAgainstJson;
    }

    /** The common options that this command takes. */
    public List<Option> commonOptions() {
        return reasonAgainstJson == null ? CommonOptions.ALL : CommonOptions.WITHOUT_JSON;
    }

    /** What follows {@code --} is another command, which is passed on unchanged. */
    public CommandSpec passthrough(String placeholder) {
        passthrough = placeholder;
        return this;
    }

    /** A complete, valid command line. */
    public CommandSpec example(String commandLine) {
        example = commandLine;
        return this;
    }

    /** A further paragraph at the end of the help; its line breaks are kept. */
    public CommandSpec note(String text) {
        notes.add(text);
        return this;
    }

    public String name() {
        return name;
    }

    public String summary() {
        return summary;
    }

    public String description() {
        return description;
    }

    public List<Positional> positionals() {
        return positionals;
    }

    /** The options of this command, without the common ones. */
    public List<Option> options() {
        return options;
    }

    public @Nullable String passthrough() {
        return passthrough;
    }

    public String example() {
        return example;
    }

    public List<String> notes() {
        return notes;
    }

    /** The option of that name, common ones included. */
    public @Nullable Option find(String optionName) {
        Option own = find(options, optionName);
        return own == null ? find(CommonOptions.ALL, optionName) : own;
    }

    /** The option with this short form. */
    public @Nullable Option findShort(String letter) {
        for (Option option : options) {
            if (option.letter().equals(letter)) {
                return option;
            }
        }
        return null;
    }

    private static @Nullable Option find(List<Option> among, String optionName) {
        for (Option option : among) {
            if (option.name().equals(optionName)) {
                return option;
            }
        }
        return null;
    }
}
