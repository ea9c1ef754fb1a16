package dev.leasehold.checks;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * The rules of {@link TidyTest}, for the text of single files, so that tests can try them on bad
 * text.
 */
final class TidyRules {
    private static final int FILE_LIMIT = 300;
    private static final int METHOD_LIMIT = 40;

    /** A type and a member, called or as a method reference, also across a line break. */
    private static final Pattern BANNED = Pattern.compile(String.join(
            "|",
            "\\bSystem\\s*(\\.|::)\\s*(currentTimeMillis|nanoTime)\\b",
            "\\b(Instant|Year|YearMonth|MonthDay|(Local|Zoned|Offset)\\w*)\\s*(\\.|::)\\s*now\\b",
            "\\bClock\\s*(\\.|::)\\s*(system|tick)\\w*",
            "\\bThread\\s*(\\.|::)\\s*(sleep|startVirtualThread|ofVirtual|ofPlatform)\\b",
            "\\bTimeUnit\\s*\\.\\s*\\w+\\s*(\\.|::)\\s*sleep\\b",
            "\\bMath\\s*(\\.|::)\\s*random\\b",
            "\\bnew\\s+(java\\.util\\.)?(Splittable)?Random\\b",
            "\\bnew\\s+(java\\.lang\\.)?Thread\\b",
            "\\bnew\\s+(java\\.util\\.)?Timer\\b",
            "\\bnew\\s+\\w*(ThreadPoolExecutor|ForkJoinPool)\\b",
            "\\b(Secure|ThreadLocal)Random\\b(?!\\s*;)",
            "\\bUUID\\s*(\\.|::)\\s*randomUUID\\b",
            "\\bExecutors\\s*(\\.|::)\\s*\\w+",
            "\\bLockSupport\\s*(\\.|::)\\s*park\\w*"));

    private static final Pattern DOUBTFUL =
            Pattern.compile("\\bFiles\\s*(\\.|::)\\s*(exists|notExists|isRegularFile)\\b");

    private TidyRules() {}

    /**
     * Files and methods that are too long. Blank lines, comments, imports and package lines do not
     * count.
     *
     * @param sources texts by name, all in one call, because starting the compiler is most of the
     *     cost
     */
    static List<String> sizes(Map<String, String> sources) {
        List<String> complaints = new ArrayList<>();
        Map<String, String[]> code = new HashMap<>();
        sources.forEach((name, source) -> {
            String[] lines = JavaText.withoutComments(source).split("\n", -1);
            int count = codeLines(lines, 1, lines.length);
            if (count > FILE_LIMIT) {
                complaints.add("%s has %d lines of code, more than %d".formatted(name, count, FILE_LIMIT));
            }
            code.put(name, lines);
        });
        JavacTask task = compiler(sources);
        SourcePositions positions = Trees.instance(task).getSourcePositions();
        for (CompilationUnitTree unit : parse(task)) {
            String name = unit.getSourceFile().toUri().getPath().substring(1);
            complaints.addAll(longMethods(unit, positions, name, code.getOrDefault(name, new String[0])));
        }
        return complaints;
    }

    private static List<String> longMethods(
            CompilationUnitTree unit, SourcePositions positions, String name, String[] code) {
        List<String> complaints = new ArrayList<>();
        new TreeScanner<Void, Void>() {
            @Override
            public Void visitMethod(MethodTree method, Void nothing) {
                long start = positions.getStartPosition(unit, method);
                long end = positions.getEndPosition(unit, method);
                // Members that the compiler adds have no position in the text.
                if (start >= 0 && end > start) {
                    long first = unit.getLineMap().getLineNumber(start);
                    long last = unit.getLineMap().getLineNumber(end - 1);
                    int length = codeLines(code, first, last);
                    if (length > METHOD_LIMIT) {
                        complaints.add("%s:%d %s has %d lines of code, more than %d"
                                .formatted(name, first, method.getName(), length, METHOD_LIMIT));
                    }
                }
                return super.visitMethod(method, null);
            }
        }.scan(unit, null);
        return complaints;
    }

    /** Uses of a clock, a wait, chance or a thread. */
    static List<String> banned(String name, String source) {
        return uses(BANNED, name, source);
    }

    /** Calls that return false when they do not know the answer. */
    static List<String> doubtful(String name, String source) {
        return uses(DOUBTFUL, name, source);
    }

    private static List<String> uses(Pattern pattern, String name, String source) {
        List<String> complaints = new ArrayList<>();
        String code = JavaText.withoutCommentsAndStrings(source);
        Matcher found = pattern.matcher(code);
        while (found.find()) {
            long line = code.substring(0, found.start())
                            .chars()
                            .filter(c -> c == '\n')
                            .count()
                    + 1;
            complaints.add(name + ":" + line + " uses " + found.group().replaceAll("\\s", ""));
        }
        return complaints;
    }

    private static int codeLines(String[] code, long first, long last) {
        int count = 0;
        for (long line = first; line <= last; line++) {
            String text = code[(int) line - 1].strip();
            if (!text.isEmpty() && !text.startsWith("import ") && !text.startsWith("package ")) {
                count++;
            }
        }
        return count;
    }

    static JavacTask compiler(Map<String, String> sources) {
        List<SourceText> texts = new ArrayList<>();
        sources.forEach((name, source) -> texts.add(new SourceText(name, source)));
        return (JavacTask)
                ToolProvider.getSystemJavaCompiler().getTask(null, null, null, List.of("-proc:none"), null, texts);
    }

    static Iterable<? extends CompilationUnitTree> parse(JavacTask task) {
        try {
            return task.parse();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A source for the compiler that is not in a file. */
    private static final class SourceText extends SimpleJavaFileObject {
        private final String text;

        SourceText(String name, String text) {
            super(URI.create("string:///" + name), JavaFileObject.Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
