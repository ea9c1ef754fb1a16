package dev.leasehold.internal;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Records as text that people can read: a header line, then {@code key=value} lines. Control
 * characters in values are escaped, so a value is always one line. The escape character is itself a
 * control character, so ordinary text is stored unchanged. A key may be repeated; the order is
 * kept.
 *
 * <p>A record in a file that nothing else protects ends with a checksum, so that a damaged file is
 * not taken for another record. It protects from accidents, not from attackers.
 */
public final class Fields {
    private static final char ESCAPE = 0x10;
    private static final String CHECKSUM = "seal=";

    private final String header;
    private final List<String> keys = new ArrayList<>();
    private final List<String> values = new ArrayList<>();

    public Fields(String header) {
        this.header = header;
    }

    public Fields put(String key, @Nullable Object value) {
        if (value != null) {
            keys.add(key);
            values.add(value.toString());
        }
        return this;
    }

    public Fields put(String key, Duration value) {
        return put(key, Long.toString(value.toNanos() / 1000));
    }

    public Fields put(String key, Instant value) {
        return put(key, Long.toString(micros(value)));
    }

    /**
     * Instants are stored as microseconds since 1970, because parsing and formatting dates
     * noticeably slows a short-lived program.
     */
    public static long micros(Instant instant) {
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), instant.getNano() / 1000);
    }

    public static Instant instant(String micros) {
        long value = number(micros);
        return Instant.ofEpochSecond(Math.floorDiv(value, 1_000_000L), Math.floorMod(value, 1_000_000L) * 1000);
    }

    /**
     * Reads a number of a record.
     *
     * @throws IllegalArgumentException with a message that does not repeat the text, which may be
     *     anything in a damaged record
     */
    public static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("expected a number", e);
        }
    }

    /** Reads a number that fits into an int. */
    public static int smallNumber(String text) {
        long number = number(text);
        if (number != (int) number) {
            throw new IllegalArgumentException("a number is too large");
        }
        return (int) number;
    }

    public String require(String key) {
        int index = keys.indexOf(key);
        if (index < 0) {
            throw new IllegalArgumentException("the field '" + key + "' is missing");
        }
        return values.get(index);
    }

    public <T> @Nullable T optional(String key, Function<String, T> parser) {
        int index = keys.indexOf(key);
        return index < 0 ? null : parser.apply(values.get(index));
    }

    public long requireLong(String key) {
        return number(require(key));
    }

    public Instant requireInstant(String key) {
        return instant(require(key));
    }

    public Duration requireMicros(String key) {
        return Duration.ofNanos(Math.multiplyExact(requireLong(key), 1000L));
    }

    public List<String> all(String key) {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            if (keys.get(i).equals(key)) {
                found.add(values.get(i));
            }
        }
        return found;
    }

    /** The numbers in the fields whose keys start with {@code prefix}, by the rest of the key. */
    public Map<String, Long> numbersStartingWith(String prefix) {
        Map<String, Long> found = new TreeMap<>();
        for (int i = 0; i < keys.size(); i++) {
            if (keys.get(i).startsWith(prefix)) {
                found.put(keys.get(i).substring(prefix.length()), number(values.get(i)));
            }
        }
        return found;
    }

    public String format() {
        StringBuilder text = new StringBuilder(header).append('\n');
        for (int i = 0; i < keys.size(); i++) {
            text.append(keys.get(i)).append('=');
            escape(values.get(i), text);
            text.append('\n');
        }
        return text.toString();
    }

    /** Adds a checksum to a formatted record. */
    public static String withChecksum(String record) {
        CRC32 crc = new CRC32();
        crc.update(record.getBytes(StandardCharsets.UTF_8));
        return record + CHECKSUM + Long.toHexString(crc.getValue()) + "\n";
    }

    /** A record without a checksum needs none, or was written by an older version. */
    private static void requireMatchingChecksum(String text) {
        int start = text.lastIndexOf("\n" + CHECKSUM) + 1;
        if (start > 0 && !text.equals(withChecksum(text.substring(0, start)))) {
            throw new IllegalArgumentException("its checksum does not match, so it is damaged");
        }
    }

    /**
     * Reads what {@link #format} wrote.
     *
     * @throws IllegalArgumentException if the text does not start with the header, a line is not
     *     {@code key=value}, or its checksum does not match
     */
    public static Fields parse(String header, String text) {
        requireMatchingChecksum(text);
        String[] lines = text.split("\n", -1);
        if (!lines[0].equals(header)) {
            throw new IllegalArgumentException("it does not start with '" + header + "'");
        }
        if (!lines[lines.length - 1].isEmpty()) {
            throw new IllegalArgumentException("the last line is cut off");
        }
        Fields fields = new Fields(header);
        for (int i = 1; i < lines.length - 1; i++) {
            int equals = lines[i].indexOf('=');
            if (equals <= 0) {
                throw new IllegalArgumentException("line " + (i + 1) + " is not key=value");
            }
            fields.put(lines[i].substring(0, equals), unescape(lines[i].substring(equals + 1)));
        }
        return fields;
    }

    private static void escape(String value, StringBuilder to) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < 0x20 || c == 0x7f) {
                to.append(ESCAPE).append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
            } else {
                to.append(c);
            }
        }
    }

    private static String unescape(String value) {
        if (value.indexOf(ESCAPE) < 0) {
            return value;
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == ESCAPE) {
                int high = i + 2 < value.length() ? Character.digit(value.charAt(i + 1), 16) : -1;
                int low = i + 2 < value.length() ? Character.digit(value.charAt(i + 2), 16) : -1;
                if (high < 0 || low < 0) {
                    throw new IllegalArgumentException("an escape is cut off");
                }
                c = (char) (high * 16 + low);
                i += 2;
            }
            text.append(c);
        }
        return text.toString();
    }
}
