package dev.leasehold.aws;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds elements without attributes in the small XML answers of S3, whose names and values need no escapes.
 * The XML reader of the JDK takes longer to load than a command to run.
 */
final class XmlText {
    private XmlText() {}

    /** The contents of all elements of this name, in order. */
    static List<String> elements(String xml, String name) {
        List<String> found = new ArrayList<>();
        String start = "<" + name + ">";
        String end = "</" + name + ">";
        int from = xml.indexOf(start);
        while (from >= 0) {
            int to = xml.indexOf(end, from);
            if (to < 0) {
                throw new IllegalArgumentException("an element is cut off");
            }
            found.add(xml.substring(from + start.length(), to));
            from = xml.indexOf(start, to);
        }
        return found;
    }

    /** The content of the first element of this name; null if there is none. */
    static @Nullable String find(String xml, String name) {
        String start = "<" + name + ">";
        int from = xml.indexOf(start);
        int to = from < 0 ? -1 : xml.indexOf("</" + name + ">", from);
        return to < 0 ? null : xml.substring(from + start.length(), to);
    }

    static String require(String xml, String name) {
        String found = find(xml, name);
        if (found == null) {
            throw new IllegalArgumentException("there is no " + name);
        }
        return found;
    }
}
