package dev.leasehold.checks;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.lang.model.element.Modifier;

/** Rules of {@link TidyTest} about comments. */
final class CommentRules {
    /** The text of a comment line, without its marks. */
    private static final Pattern LINE = Pattern.compile("^\\s*(?://|\\*(?!/)|/\\*\\*)\\s?(?<text>.*?)\\s*(?:\\*/)?$");

    private static final Pattern WORD = Pattern.compile("[\\w'(),.:;-]+");

    private CommentRules() {}

    /**
     * Lines in the middle of a paragraph that consist of one word. A formatter leaves them when it
     * breaks a line that is too long without filling the next one.
     */
    static List<String> oneWordLines(String name, String source) {
        List<String> complaints = new ArrayList<>();
        String[] lines = source.split("\n", -1);
        boolean example = false;
        for (int i = 1; i + 1 < lines.length; i++) {
            example = (example || lines[i].contains("<pre>")) && !lines[i].contains("</pre>");
            String before = text(lines[i - 1]);
            String after = text(lines[i + 1]);
            boolean middle = isProse(before) && isProse(after) && !after.startsWith("@");
            if (!example && middle && WORD.matcher(text(lines[i])).matches()) {
                complaints.add("%s:%d has a line with the single word '%s'".formatted(name, i + 1, text(lines[i])));
            }
        }
        return complaints;
    }

    private static boolean isProse(String text) {
        return !text.isEmpty() && !text.startsWith("<");
    }

    /** Returns an empty text for a line that is not a comment. */
    private static String text(String line) {
        Matcher found = LINE.matcher(line);
        return found.matches() ? found.group("text") : "";
    }

    /** Public types without Javadoc. */
    static List<String> undocumented(Map<String, String> sources) {
        List<String> complaints = new ArrayList<>();
        JavacTask task = TidyRules.compiler(sources);
        Trees trees = Trees.instance(task);
        for (CompilationUnitTree unit : TidyRules.parse(task)) {
            new TreePathScanner<Void, Void>() {
                @Override
                public Void visitClass(ClassTree type, Void nothing) {
                    boolean isPublic = type.getModifiers().getFlags().contains(Modifier.PUBLIC);
                    if (isPublic && trees.getDocComment(getCurrentPath()) == null) {
                        complaints.add(
                                unit.getSourceFile().getName() + ": " + type.getSimpleName() + " has no Javadoc");
                    }
                    // Members of types that are not public are not public either.
                    return isPublic ? super.visitClass(type, null) : null;
                }
            }.scan(unit, null);
        }
        return complaints;
    }
}
