package dev.leasehold.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that the Javadoc of all exported packages builds without a warning. */
class JavadocTest {
    @Test
    void javadocOfTheExportedPackagesBuildsWithoutWarnings(@TempDir Path folder) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "-quiet",
                // "missing" would require a tag for every parameter. TidyTest checks that every
                // type has a comment.
                "-Xdoclint:all,-missing",
                "-encoding",
                "UTF-8",
                "-d",
                folder.toString(),
                "-classpath",
                System.getProperty("java.class.path")));
        for (String module : ApiPage.MODULES) {
            Path sources = SourceTree.ROOT.resolve(module).resolve("src/main/java");
            for (String exported : ApiPage.exported(sources)) {
                try (Stream<Path> files = Files.list(sources.resolve(exported.replace('.', '/')))) {
                    files.filter(file -> file.toString().endsWith(".java"))
                            .forEach(file -> arguments.add(file.toString()));
                }
            }
        }
        StringWriter messages = new StringWriter();
        PrintWriter writer = new PrintWriter(messages);
        int code =
                ToolProvider.findFirst("javadoc").orElseThrow().run(writer, writer, arguments.toArray(new String[0]));

        assertThat(messages.toString()).isEmpty();
        assertThat(code).isZero();
        assertThat(folder.resolve("dev/leasehold/Leases.html")).exists();
    }
}
