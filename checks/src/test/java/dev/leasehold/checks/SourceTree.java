package dev.leasehold.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/** The project's own sources, of all modules. */
final class SourceTree {
    static final Path ROOT = Path.of(System.getProperty("leasehold.root"));

    private SourceTree() {}

    static List<Path> javaFiles() throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                // A build may write and delete files there at the same time.
                return directory.endsWith("target") || directory.endsWith(".git")
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (name(file).matches(".*/src/(main|test)/java/.*\\.java")) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        assertThat(found).as("java files under %s", ROOT).hasSizeGreaterThan(10);
        return found;
    }

    /** The simple name of the top-level class in this file. */
    static String className(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.substring(0, name.length() - ".java".length());
    }

    /** Relative to the root, with slashes. */
    static String name(Path file) {
        return slashed(ROOT.relativize(file));
    }

    static String slashed(Path path) {
        return path.toString().replace('\\', '/');
    }
}
