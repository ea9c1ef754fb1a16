package dev.leasehold.simulator.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Stores;
import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SoakCommandTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void interruptPrintsTheSummaryAndLeavesNoFiles(@TempDir Path folder) throws Exception {
        Path log = folder.resolve("log");
        Path temporary = Files.createDirectory(folder.resolve("tmp"));
        ProcessBuilder builder =
                new ProcessBuilder(new CliRunner().withDrivers().commandLine("soak", "--minutes", "5"));
        builder.environment().put("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + temporary);
        builder.environment().remove("LEASEHOLD_STORE");
        Process soak =
                builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
        try {
            await(soak, log, "soaking for 5m");
            new ProcessBuilder("kill", "-INT", String.valueOf(soak.pid()))
                    .start()
                    .waitFor();

            assertThat(soak.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(Files.readString(log)).contains("rounds in", "memory after collection");
            assertThat(temporary).isEmptyDirectory();
        } finally {
            soak.destroyForcibly();
        }
    }

    @Test
    void jsonSummaryIsOneObject(@TempDir Path folder) {
        CliRunner.Result result =
                CliRunner.withStore(folder.resolve("store")).run("soak", "--minutes", "0.005", "--ttl", "1s", "--json");

        assertThat(result.code()).as(result.out() + result.err()).isZero();
        assertThat(result.outLine()).contains("\"failed\":0", "\"grew\":false", "\"end\":{\"memoryBytes\":");
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "sqlite", "h2"})
    void everyEmbeddedStoreCanBeSoaked(String scheme, @TempDir Path folder) {
        String url = scheme + ":" + folder.resolve("store");
        Stores.create(url).close();
        CliRunner.Result result =
                new CliRunner().env("LEASEHOLD_STORE", url).run("soak", "--minutes", "500ms", "--ttl", "1s");

        assertThat(result.code()).as(result.out() + result.err()).isZero();
        assertThat(result.out()).contains("all checks held");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", ".", "1.2.3", "soon", "", "99999999999", "1e9", "8d"})
    void invalidDurationsAreRefused(String minutes) {
        CliRunner.Result result = new CliRunner().run("soak", "--minutes", minutes);

        assertThat(result.code()).as(result.err()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains("--minutes");
    }

    private static void await(Process soak, Path log, String words) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!Files.readString(log).contains(words)) {
            assertThat(soak.isAlive() && System.nanoTime() < deadline)
                    .as(Files.readString(log))
                    .isTrue();
            Thread.sleep(50);
        }
    }
}
