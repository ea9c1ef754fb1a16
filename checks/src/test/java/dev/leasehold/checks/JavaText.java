package dev.leasehold.checks;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Java source with comments or literals replaced by blanks; lines and columns stay the same. */
final class JavaText {
    /**
     * Comments, and literals that can look like comments, in the order of matching. Possessive, to
     * avoid deep recursion.
     */
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
