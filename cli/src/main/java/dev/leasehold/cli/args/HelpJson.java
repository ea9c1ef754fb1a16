package dev.leasehold.cli.args;

import dev.leasehold.cli.output.Json;
import java.util.ArrayList;
import java.util.List;

/** The help of a command for programs, derived from its spec like the text. */
public final class HelpJson {
    private HelpJson() {}

    /** One line of the overview. */
    public static Json summary(String group, CommandSpec spec) {
        return new Json().put("command", spec.name()).put("group", group).put("summary", spec.summary());
    }

    /** The help of one command. */
    public static Json of(CommandSpec spec) {
        List<Option> options = new ArrayList<>(spec.options());
        options.addAll(spec.commonOptions());
        return new Json()
                .put("command", spec.name())
                .put("summary", spec.summary())
                .put("usage", HelpText.usage(spec))
                .put("description", spec.description().replace('\n', ' '))
                .put("options", options.stream().map(HelpJson::option).toList())
                .put("example", spec.example());
    }

    private static Json option(Option option) {
        Json json = new Json().put("name", option.dashed());
        if (option.takesValue()) {
            json.put("value", option.placeholder());
        }
        return json.put("required", option.required())
                .put("repeatable", option.repeatable())
                .put("help", option.help());
    }
}
