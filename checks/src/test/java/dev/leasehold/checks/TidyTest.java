package dev.leasehold.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Limits the size of files and methods, checks comments, and keeps time, chance and threads out of
 * the engine, which gets them through {@code Ticker}, {@code Clock}, {@code Ids} and
 * {@code Timers}, so that tests and the simulator control them.
 */
class TidyTest {
    /**
     * Packages whose classes must run in virtual time. {@code internal.disk} is not among them: it
     * waits for real files.
     */
    private static final Set<String> ENGINE = Set.of(
            "dev/leasehold",
            "dev/leasehold/model",
            "dev/leasehold/spi",
            "dev/leasehold/internal",
            "dev/leasehold/work",
            "dev/leasehold/jobs");

    /** Where code must distinguish an absent file from one that cannot be examined. */
    private static final Set<String> EXACT = Set.of(
            "core/src/main/java/dev/leasehold/store",
            "core/src/main/java/dev/leasehold/internal/disk",
            "core/src/main/java/dev/leasehold/fence",
            "git/src/main/java");

    /** The exceptions, by file, each with the one call that it may use. */
    private static final Map<String, String> ALLOWED = Map.of(
            // The thread of a periodic task runs in real time, like the timers.
            "PeriodicTask.java", "Thread.sleep");

    @Test
    void everyFileAndMethodIsShort() throws IOException {
        Map<String, String> sources = new TreeMap<>();
        for (Path file : SourceTree.javaFiles()) {
            sources.put(SourceTree.name(file), Files.readString(file));
        }
        assertThat(TidyRules.sizes(sources)).isEmpty();
    }

    @Test
    void engineReadsNoClockAndStartsNoThread() throws IOException {
        List<String> complaints = new ArrayList<>();
        for (Path file : engineFiles()) {
            String allowed = ALLOWED.get(file.getFileName().toString());
            for (String complaint : TidyRules.banned(SourceTree.name(file), Files.readString(file))) {
                if (allowed == null || !complaint.contains(allowed)) {
                    complaints.add(complaint);
                }
            }
        }
        assertThat(complaints).isEmpty();
    }

    /** A disk error does not mean that the file is absent: {@code Disk.exists} throws it. */
    @Test
    void noErrorIsTakenForAnAbsentFile() throws IOException {
        List<String> complaints = new ArrayList<>();
        for (Path file : SourceTree.javaFiles()) {
            if (EXACT.stream().anyMatch(folder -> file.startsWith(SourceTree.ROOT.resolve(folder)))) {
                complaints.addAll(TidyRules.doubtful(SourceTree.name(file), Files.readString(file)));
            }
        }
        assertThat(complaints).isEmpty();
        assertThat(TidyRules.doubtful("A.java", "boolean b = Files.exists(path);"))
                .hasSize(1);
    }

    @Test
    void noCommentHasALineOfOneWord() throws IOException {
        List<String> complaints = new ArrayList<>();
        for (Path file : SourceTree.javaFiles()) {
            complaints.addAll(CommentRules.oneWordLines(SourceTree.name(file), Files.readString(file)));
        }
        assertThat(complaints).isEmpty();
    }

    @Test
    void lineOfOneWordIsFoundInTheMiddleOfAParagraph() {
        String bad =
                "/**\n * A long line of a comment whose last\n * word\n * went to the next line.\n */\nclass A {}\n";
        String last = "/**\n * A long line of a comment whose last\n * word.\n */\nclass A {}\n";
        String tag = "/**\n * A long line of a comment whose last\n * word.\n * @param a b\n */\nclass A {}\n";
        String code = "class A {\n    // Why.\n    int a;\n    // Then.\n}\n";

        assertThat(CommentRules.oneWordLines("A.java", bad))
                .singleElement()
                .asString()
                .contains("A.java:3", "'word'");
        assertThat(CommentRules.oneWordLines("A.java", bad.replace(" * ", "// ")))
                .hasSize(1);
        for (String good : List.of(last, tag, code)) {
            assertThat(CommentRules.oneWordLines("A.java", good)).isEmpty();
        }
    }

    @Test
    void everyPublicTypeOfAPublishedModuleHasJavadoc() throws IOException {
        Map<String, String> sources = new TreeMap<>();
        for (Path file : SourceTree.javaFiles()) {
            if (ApiPage.MODULES.stream()
                    .anyMatch(module -> SourceTree.name(file).startsWith(module + "/src/main/"))) {
                sources.put(SourceTree.name(file), Files.readString(file));
            }
        }
        assertThat(CommentRules.undocumented(sources)).isEmpty();
    }

    @Test
    void missingJavadocIsFound() {
        String source =
                """
                /** A. */
                public class A {
                    public enum B {}
                    /** C. */
                    public interface C {}
                    static class D {
                        public class E {}
                    }
                }
                """;
        assertThat(CommentRules.undocumented(Map.of("A.java", source)))
                .singleElement()
                .asString()
                .contains("A.java", "B has no Javadoc");
    }

    @Test
    void everyAllowedExceptionIsStillNeeded() throws IOException {
        List<String> needed = new ArrayList<>();
        for (Path file : engineFiles()) {
            String allowed = ALLOWED.get(file.getFileName().toString());
            if (allowed != null
                    && TidyRules.banned(SourceTree.name(file), Files.readString(file)).stream()
                            .anyMatch(complaint -> complaint.contains(allowed))) {
                needed.add(file.getFileName().toString());
            }
        }
        assertThat(needed).containsExactlyInAnyOrderElementsOf(ALLOWED.keySet());
    }

    @Test
    void methodThatIsTooLongIsFound() {
        String body = "        count++;\n".repeat(39);
        String fits = "class A {\n    int count;\n\n    void grow() {\n" + body.substring(17) + "    }\n}\n";
        String tooLong = "class A {\n    int count;\n\n    void grow() {\n" + body + "    }\n}\n";

        assertThat(TidyRules.sizes(Map.of("A.java", fits))).isEmpty();
        assertThat(TidyRules.sizes(Map.of("A.java", tooLong)))
                .singleElement()
                .asString()
                .contains("grow", "41", "40");
    }

    @Test
    void commentsAndBlankLinesAndImportsDoNotCount() {
        String noise = "// note\n\n/* more\n * of it\n */\nimport java.util.List;\n".repeat(100);
        String full = "package a;\n" + noise + "class A {\n" + "    int a = 1; // why\n".repeat(298) + "}\n";
        String over = full.replace("}\n", "    String s = \"/*\";\n}\n");

        assertThat(TidyRules.sizes(Map.of("A.java", full))).isEmpty();
        assertThat(TidyRules.sizes(Map.of("A.java", over)))
                .singleElement()
                .asString()
                .contains("301", "300");
    }

    @Test
    void everyBannedCallIsFound() {
        List<String> bad = List.of(
                "System.currentTimeMillis()",
                "System.nanoTime()",
                "System::nanoTime",
                "Instant.now()",
                "java.time.Instant.now()",
                "LocalDateTime.now()",
                "Clock.systemUTC()",
                "Thread.sleep(5)",
                "TimeUnit.SECONDS.sleep(5)",
                "Math.random()",
                "new Random()",
                "new SecureRandom()",
                "UUID.randomUUID()",
                "ThreadLocalRandom.current()",
                "new Thread(task)",
                "Executors.newCachedThreadPool()",
                "LockSupport.parkNanos(1)",
                "LockSupport\n                .park()");
        for (String call : bad) {
            String source = "class A {\n    Object a = " + call + ";\n}\n";
            assertThat(TidyRules.banned("A.java", source))
                    .as(call)
                    .singleElement()
                    .asString()
                    .contains("A.java:2");
        }
    }

    @Test
    void wordsInCommentsAndStringsAreNotCalls() {
        String source =
                "/** Not System.nanoTime(). */\nclass A {\n    // Instant.now()\n    String s = \"Thread.sleep\";\n"
                        + "    String t = \"\"\"\n        \"new Thread()\"\n        \"\"\";\n    char c = '\"';\n    Ticker now = ticker;\n}\n";

        assertThat(TidyRules.banned("A.java", source)).isEmpty();
    }

    private static List<Path> engineFiles() throws IOException {
        List<Path> found = new ArrayList<>();
        for (String module : List.of("core", "work", "jobs")) {
            Path sources = SourceTree.ROOT.resolve(module).resolve("src/main/java");
            SourceTree.javaFiles().stream()
                    .filter(file -> file.startsWith(sources))
                    .filter(file -> ENGINE.contains(SourceTree.slashed(sources.relativize(file.getParent()))))
                    .filter(file -> !file.getFileName().toString().startsWith("System"))
                    .forEach(found::add);
        }
        return found;
    }
}
