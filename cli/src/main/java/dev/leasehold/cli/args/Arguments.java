package dev.leasehold.cli.args;

import dev.leasehold.cli.output.SafeText;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.LeaseName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The parsed command line. The error for an invalid value names its option. */
public final class Arguments {
    private final List<Option> options = new ArrayList<>(8);
    private final List<String> values = new ArrayList<>(8);
    private final List<String> positionals = new ArrayList<>(4);
    private final List<String> passthrough = new ArrayList<>(8);
    private boolean separator;

    Arguments() {}

    void add(Option option, String value) {
        options.add(option);
        values.add(value);
    }

    void sawSeparator() {
        separator = true;
    }

    boolean hasSeparator() {
        return separator;
    }

    public boolean has(Option option) {
        return indexOf(option) >= 0;
    }

    /** The value as it was written, or null if the option was not given. */
    public @Nullable String text(Option option) {
        int index = indexOf(option);
        return index < 0 ? null : values.get(index);
    }

    /** All values of a repeatable option, in order. */
    public List<String> all(Option option) {
        List<String> found = new ArrayList<>(2);
        for (int i = 0; i < options.size(); i++) {
            if (options.get(i).name().equals(option.name())) {
                found.add(values.get(i));
            }
        }
        return found;
    }

    /** The value, parsed by {@code parser}, or null if the option was not given. */
    public <T> @Nullable T value(Option option, Function<String, T> parser) {
        String text = text(option);
        if (text == null) {
            return null;
        }
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            throw bad(option.dashed(), text, e);
        }
    }

    public @Nullable Duration duration(Option option) {
        String text = text(option);
        if (text == null) {
            return null;
        }
        try {
            return DurationText.parse(text);
        } catch (IllegalArgumentException e) {
            throw bad(option.dashed(), text, e);
        }
    }

    public Duration duration(Option option, Duration otherwise) {
        Duration given = duration(option);
        return given == null ? otherwise : given;
    }

    /** A whole number within bounds. */
    public long number(Option option, long least, long most, long otherwise) {
        String text = text(option);
        if (text == null) {
            return otherwise;
        }
        try {
            long number = Long.parseLong(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported like a number out of bounds.
        }
        throw new UsageException(
                option.dashed() + " " + SafeText.quote(text) + ": write a whole number from " + least + " to " + most);
    }

    public List<String> positionals() {
        return positionals;
    }

    /** The positional at this index, or null if it was not given. */
    public @Nullable String positional(int index) {
        return index < positionals.size() ? positionals.get(index) : null;
    }

    /**
     * The positional at this index as a lease name. The parser has checked that a required one is
     * present.
     */
    public LeaseName leaseName(int index) {
        return leaseName("NAME", positionals.get(index));
    }

    /** The value of the option as a lease name, or null if it was not given. */
    public @Nullable LeaseName leaseName(Option option) {
        String text = text(option);
        return text == null ? null : leaseName(option.dashed(), text);
    }

    /** @param where names the source of the text in an error */
    public static LeaseName leaseName(String where, String text) {
        if (hasParentSegment(text)) {
            throw new UsageException(where + " " + SafeText.quote(text) + ": a lease name is not a path, so it must not"
                    + " contain '..' as a segment");
        }
        if (text.contains("://")) {
            // Not repeated: it may have a password.
            throw new UsageException(where + " is a URL, and a lease name is none. To name a store, write --store URL");
        }
        try {
            return LeaseName.of(text);
        } catch (IllegalArgumentException e) {
            throw bad(where, text, e);
        }
    }

    /** Whether the text, read as a path, contains {@code ..}. */
    public static boolean hasParentSegment(String text) {
        int from = text.indexOf("..");
        while (from >= 0) {
            boolean starts = from == 0 || text.charAt(from - 1) == '/';
            boolean ends = from + 2 == text.length() || text.charAt(from + 2) == '/';
            if (starts && ends) {
                return true;
            }
            from = text.indexOf("..", from + 1);
        }
        return false;
    }

    /** The words after {@code --}. */
    public List<String> passthrough() {
        return passthrough;
    }

    /**
     * The error for an invalid value. It names the source and shows the value without control
     * characters.
     */
    public static UsageException bad(String where, String text, IllegalArgumentException why) {
        return new UsageException(where + " " + SafeText.quote(text) + ": " + why.getMessage(), why);
    }

    private int indexOf(Option option) {
        for (int i = 0; i < options.size(); i++) {
            if (options.get(i).name().equals(option.name())) {
                return i;
            }
        }
        return -1;
    }
}
