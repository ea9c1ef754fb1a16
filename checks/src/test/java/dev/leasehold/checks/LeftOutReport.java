package dev.leasehold.checks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Prints the tests that {@code @Requires} left out in this build. Runs after all other tests. */
class LeftOutReport {
    @Test
    void print() throws IOException {
        Path list = SourceTree.ROOT.resolve("target/left-out");
        if (Files.exists(list)) {
            List<String> tests = Files.readAllLines(list).stream().sorted().toList();
            System.out.println(
                    "Left out, because this machine lacks what they need (scripts/install-test-packages installs it):");
            tests.forEach(test -> System.out.println("  " + test));
        }
    }
}
