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

/** Checks that class names are unique in the whole tree, and that test classes end in "Test". */
class NamesTest {
    private static final Set<String> SHARED = Set.of("package-info", "module-info", "Main");

    @Test
    void topLevelClassesOfAllModulesHaveDifferentNames() throws IOException {
        Map<String, List<String>> files = new TreeMap<>();
        for (Path file : SourceTree.javaFiles()) {
            files.computeIfAbsent(SourceTree.className(file), name -> new ArrayList<>())
                    .add(SourceTree.name(file));
        }
        files.keySet().removeAll(SHARED);
        files.values().removeIf(sameName -> sameName.size() == 1);
        assertThat(files).isEmpty();
    }

    @Test
    void classesWithTestsAreNamedTest() throws IOException {
        List<String> others = new ArrayList<>();
        for (Path file : SourceTree.javaFiles()) {
            String name = SourceTree.name(file);
            boolean test = name.contains("/src/test/") && Files.readString(file).contains("\n    @Test\n");
            if (test && !name.endsWith("Test.java")) {
                others.add(name);
            }
        }
        // Runs in a separate step, after the tests.
        assertThat(others).containsExactly("checks/src/test/java/dev/leasehold/checks/LeftOutReport.java");
    }
}
