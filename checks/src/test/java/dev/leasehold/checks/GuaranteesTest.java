package dev.leasehold.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Checks that the tests exist that the documents name as evidence. */
class GuaranteesTest {
    private static final Pattern NAMED = Pattern.compile("`([A-Z][A-Za-z0-9]*(?:Test|Contract))`");

    @Test
    void everyNamedTestExists() throws IOException {
        Set<String> named = new TreeSet<>();
        for (String document : new String[] {"guarantees.md", "fuzzing.md", "soak.md"}) {
            Matcher found = NAMED.matcher(
                    Files.readString(SourceTree.ROOT.resolve("docs").resolve(document)));
            while (found.find()) {
                named.add(found.group(1));
            }
        }
        assertThat(named).hasSizeGreaterThan(40).isSubsetOf(classes());
    }

    private static Set<String> classes() throws IOException {
        Set<String> found = new TreeSet<>();
        for (Path file : SourceTree.javaFiles()) {
            found.add(SourceTree.className(file));
        }
        return found;
    }
}
