package dev.leasehold.mcp;

import dev.leasehold.model.Text;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The arguments of a call, which fit the tool's inputs. */
final class ToolArguments {
    private static final int SHOWN = 60;

    private final Map<String, Object> values;

    private ToolArguments(Map<String, Object> values) {
        this.values = values;
    }

    /** @throws ToolFailure if they do not fit; it names the first problem */
    static ToolArguments check(List<Input> inputs, Map<String, Object> given) {
        for (String name : given.keySet()) {
            if (inputs.stream().noneMatch(input -> input.name().equals(name))) {
                throw invalid("there is no argument '" + Text.shown(name, SHOWN) + "'; this tool has "
                        + String.join(", ", inputs.stream().map(Input::name).toList()));
            }
        }
        for (Input input : inputs) {
            if (!given.containsKey(input.name())) {
                if (input.required()) {
                    throw invalid("the argument '" + input.name() + "' is missing: " + input.description());
                }
                continue;
            }
            String problem = input.problem(given.get(input.name()));
            if (problem != null) {
                throw invalid(problem);
            }
        }
        return new ToolArguments(given);
    }

    static ToolFailure invalid(String message) {
        return new ToolFailure(ToolResult.invalid(message + ". Nothing was changed"));
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    /** A required text. */
    String text(String name) {
        String text = optional(name);
        if (text == null) {
            throw invalid("the argument '" + name + "' is missing");
        }
        return text;
    }

    @Nullable
    String optional(String name) {
        return (String) values.get(name);
    }

    boolean flag(String name) {
        return Boolean.TRUE.equals(values.get(name));
    }

    long number(String name, long otherwise) {
        return values.get(name) instanceof Long number ? number : otherwise;
    }

    /**
     * A required text as a value that checks itself. Its messages are written for people and show
     * nothing but the text.
     */
    <T> T value(String name, Function<String, T> parser) {
        try {
            return parser.apply(text(name));
        } catch (IllegalArgumentException e) {
            throw invalid("'" + name + "': " + e.getMessage());
        }
    }

    <T> @Nullable T optional(String name, Function<String, T> parser) {
        return has(name) ? value(name, parser) : null;
    }
}
