package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.environment.Requires;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

@Requires({"node", "tsc"})
class TypeScriptClientTest extends ThinClientTest {
    @TempDir
    static Path compiled;

    @BeforeAll
    static void compileStrictly() throws Exception {
        Process compiler = new ProcessBuilder(
                        "tsc", "--project", CLIENTS.resolve("typescript").toString(), "--outDir", compiled.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(compiler.waitFor()).as(output).isZero();
        Files.writeString(compiled.resolve("package.json"), "{\"type\":\"module\"}");
    }

    @Override
    List<String> driver() {
        return List.of("node", compiled.resolve("driver.js").toString());
    }
}
