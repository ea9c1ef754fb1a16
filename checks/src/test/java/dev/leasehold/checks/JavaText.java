package dev.leasehold.checks;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Java source with parts of it blanked out; lines and columns stay where they are. */
final class JavaText {
    /** What can hide a comment or look like one, in the order in which it must be tried. Possessive: no deep recursion. */
    private static final Pattern COMMENT_OR_LITERAL = Pattern.compile("(?<comment>//[^\\n]*+|/\\*(?s:.*?)\\*/)"
            + "|\"\"\"(?s:(?:[^\\\\\"]|\\\\.|\"(?!\"\"))*+)\"\"\""
            + "|\"(?:[^\"\\\\\\n]|\\\\.)*+\""
            + "|'(?:[^'\\\\\\n]|\\\\.)++'");

    private JavaText() {}

    static String withoutComments(String source) {
        return blanked(source, false);
    }

    static String withoutCommentsAndStrings(String source) {
        return blanked(source, true);
    }

    private static String blanked(String source, boolean literalsToo) {
        StringBuilder result = new StringBuilder(source);
        Matcher found = COMMENT_OR_LITERAL.matcher(source);
        while (found.find()) {
            if (literalsToo || found.group("comment") != null) {
                for (int i = found.start(); i < found.end(); i++) {
                    if (source.charAt(i) != '\n') {
                        result.setCharAt(i, ' ');
                    }
                }
            }
        }
        return result.toString();
    }
}
