package dev.leasehold.agents;

import java.util.ArrayList;
import java.util.List;

/** Finds files in the text of a shell command, as far as that is possible without running it. */
public final class ShellText {
    private ShellText() {}

    /** The words of a command, without quotes and operators. */
    public static List<String> words(String command) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        char quote = 0;
        for (int i = 0; i < command.length(); i++) {
            char c = command.charAt(i);
            if (quote != 0) {
                if (c == quote) {
                    quote = 0;
                } else {
                    word.append(c);
                }
            } else if (c == '\'' || c == '"') {
                quote = c;
            } else if (c == '\\' && i + 1 < command.length()) {
                i++;
                word.append(command.charAt(i));
            } else if (Character.isWhitespace(c) || ";|&<>()`".indexOf(c) >= 0) {
                end(words, word);
            } else {
                word.append(c);
            }
        }
        end(words, word);
        return words;
    }

    private static void end(List<String> words, StringBuilder word) {
        if (!word.isEmpty()) {
            words.add(word.toString());
            word.setLength(0);
        }
    }

    /**
     * Whether the command names the file: by the last part of its path, wherever that stands in the
     * text. This refuses some commands that only read it.
     */
    static boolean names(String command, String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        return containsName(command, name) || containsName(String.join(" ", words(command)), name);
    }

    private static boolean containsName(String text, String name) {
        int at = text.indexOf(name);
        while (at >= 0) {
            int end = at + name.length();
            boolean starts = at == 0 || !isNameCharacter(text.charAt(at - 1));
            boolean ends = end == text.length() || !isNameCharacter(text.charAt(end));
            if (starts && ends) {
                return true;
            }
            at = text.indexOf(name, at + 1);
        }
        return false;
    }

    private static boolean isNameCharacter(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '-';
    }

    /** Whether the command runs {@code git push}, also inside the quotes of another command. */
    public static boolean pushes(String command) {
        List<String> words = words(command);
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            boolean git = word.equals("git") || word.endsWith("/git");
            if ((git && subcommand(words, i + 1).equals("push")) || (word.indexOf(' ') > 0 && pushes(word))) {
                return true;
            }
        }
        return false;
    }

    private static String subcommand(List<String> words, int from) {
        for (int i = from; i < words.size(); i++) {
            String word = words.get(i);
            if (word.equals("-C") || word.equals("-c")) {
                i++;
            } else if (!word.startsWith("-")) {
                return word;
            }
        }
        return "";
    }
}
