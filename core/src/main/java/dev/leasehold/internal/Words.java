package dev.leasehold.internal;

import dev.leasehold.model.FencingToken;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A value of a text record that has several parts: words with one blank between them. A part that
 * may contain blanks comes last, or after its length. Every method that reads throws
 * IllegalArgumentException if the line does not hold what is asked for.
 */
public final class Words {
    private static final String NONE = "-";

    private final String what;
    private final String line;
    /** Where the next word starts; beyond the end of the line after the last word. */
    private int next;

    /** @param what what the line describes, for the messages */
    public Words(String what, String line) {
        this.what = what;
        this.line = line;
    }

    /** Formats a line. Null becomes {@code -}, and an instant its microseconds. */
    public static String join(@Nullable Object... words) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < words.length; i++) {
            line.append(i == 0 ? "" : " ");
            if (words[i] instanceof Instant instant) {
                line.append(Fields.micros(instant));
            } else {
                line.append(words[i] == null ? NONE : words[i]);
            }
        }
        return line.toString();
    }

    public String word() {
        return take(nextBlank());
    }

    /** The next word, or null for {@code -}. */
    public <T> @Nullable T optional(Function<String, T> parser) {
        return parse(word(), parser);
    }

    public long number() {
        return Fields.number(word());
    }

    public int smallNumber() {
        return Fields.smallNumber(word());
    }

    public FencingToken token() {
        return FencingToken.parse(word());
    }

    public Instant instant() {
        return Fields.instant(word());
    }

    /** Whether the next word is {@code yes}; it must be one of the two. */
    public boolean isFirstOf(String yes, String no) {
        String word = word();
        if (!word.equals(yes) && !word.equals(no)) {
            throw new IllegalArgumentException(what + " has neither '" + yes + "' nor '" + no + "'");
        }
        return word.equals(yes);
    }

    /** A text after its length. The text that follows is not separated from it. */
    public String counted() {
        int length = smallNumber();
        requireMore();
        if (length < 0 || length > line.length() - next) {
            throw new IllegalArgumentException(what + " has a wrong length");
        }
        String text = line.substring(next, next + length);
        next += length;
        return text;
    }

    /** Everything that is left, which may be empty. */
    public String rest() {
        return take(line.length());
    }

    /** Everything that is left, or null for {@code -}. */
    public <T> @Nullable T optionalRest(Function<String, T> parser) {
        return parse(rest(), parser);
    }

    /** The number of words that are left. */
    public int left() {
        int count = next > line.length() ? 0 : 1;
        for (int i = next; i < line.length(); i++) {
            count += line.charAt(i) == ' ' ? 1 : 0;
        }
        return count;
    }

    private int nextBlank() {
        int blank = line.indexOf(' ', next);
        return blank < 0 ? line.length() : blank;
    }

    private String take(int end) {
        requireMore();
        String text = line.substring(next, end);
        next = end + 1;
        return text;
    }

    private void requireMore() {
        if (next > line.length()) {
            throw new IllegalArgumentException(what + " is cut off");
        }
    }

    private static <T> @Nullable T parse(String text, Function<String, T> parser) {
        return text.equals(NONE) ? null : parser.apply(text);
    }
}
