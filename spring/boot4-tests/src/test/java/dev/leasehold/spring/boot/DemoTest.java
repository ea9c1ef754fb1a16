package dev.leasehold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code examples/spring-boot/demo}, as a reader of the README runs it, but with what is built already. */
class DemoTest {
    private static final Path ROOT = Path.of(System.getProperty("leasehold.root"));

    @TempDir
    Path folder;

    @Test
    void frozenApplicationIsRefused() throws Exception {
        Path example = ROOT.resolve("examples/spring-boot");
        Path log = folder.resolve("demo.log");
        ProcessBuilder script = new ProcessBuilder(
                        "bash", example.resolve("demo").toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        script.environment()
                .put(
                        "DEMO_CLASSPATH",
                        example.resolve("target/classes")
                                + File.pathSeparator
                                + Files.readString(example.resolve("target/classpath"))
                                        .strip());
        Process process = script.start();
        try {
            assertThat(process.waitFor(300, TimeUnit.SECONDS))
                    .as(Files.readString(log))
                    .isTrue();
            assertThat(process.exitValue()).as(Files.readString(log)).isZero();
        } finally {
            process.destroy();
        }
        assertThat(Files.readAllLines(log))
                .anyMatch(line -> line.startsWith("A ") && line.contains(", computing"))
                .anyMatch(line -> line.startsWith("B ") && line.contains(" writes "))
                .last()
                .asString()
                .startsWith("A ")
                .contains("StaleLeaseException: the transaction was rolled back: token ")
                .contains("is stale: the target has seen token ");
    }
}
