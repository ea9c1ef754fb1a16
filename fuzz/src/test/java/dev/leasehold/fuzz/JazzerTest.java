package dev.leasehold.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Coverage-guided fuzzing of all targets by Jazzer, in a separate process with little memory. An
 * input that hangs, grows or throws an unexpected exception ends the process, and the output names
 * it. {@code -Dleasehold.fuzz.runs} sets the number of inputs.
 */
class JazzerTest {
    private static final long DEFAULT_RUNS = 5_000;
    private static final long RUNS = Long.getLong("leasehold.fuzz.runs", DEFAULT_RUNS);
    private static final long SEED = Long.getLong("leasehold.fuzz.seed", 1L);
    private static final long PATIENCE_SECONDS = 240 + RUNS / 50;

    @TempDir
    Path folder;

    @Test
    void everyInputIsAcceptedOrRejected() throws IOException, InterruptedException {
        Path corpus = Files.createDirectory(folder.resolve("corpus"));
        writeSeeds(corpus);
        Path log = folder.resolve("log");

        int code = fuzz(corpus, log);

        String output = Files.readString(log);
        assertThat(code).as(output).isZero();
        assertThat(output).contains("target lease record: ").contains("Done " + RUNS + " runs");
        if (RUNS > DEFAULT_RUNS) {
            output.lines()
                    .filter(line -> line.startsWith("target ") || line.startsWith("Done "))
                    .forEach(System.out::println);
        }
    }

    private int fuzz(Path corpus, Path log) throws IOException, InterruptedException {
        Process jazzer = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "com.code_intelligence.jazzer.Jazzer",
                        "--target_class=" + JazzerEntryPoint.class.getName(),
                        "--instrumentation_includes=dev.leasehold.**",
                        "--custom_hook_includes=dev.leasehold.**",
                        "--reproducer_path=" + folder,
                        "-artifact_prefix=" + folder + "/",
                        "-runs=" + RUNS,
                        "-seed=" + SEED,
                        "-max_len=1200",
                        "-timeout=120",
                        "-rss_limit_mb=0",
                        "-print_final_stats=1",
                        corpus.toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(jazzer.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as("still running after " + PATIENCE_SECONDS + " s: " + Files.readString(log))
                    .isTrue();
            return jazzer.exitValue();
        } finally {
            jazzer.destroyForcibly();
        }
    }

    private static void writeSeeds(Path corpus) throws IOException {
        List<FuzzTarget> targets = FuzzTargets.ALL;
        for (int index = 0; index < targets.size(); index++) {
            int number = 0;
            for (String seed : targets.get(index).seeds()) {
                byte[] text = seed.getBytes(StandardCharsets.UTF_8);
                byte[] input = new byte[text.length + 1];
                input[0] = (byte) index;
                System.arraycopy(text, 0, input, 1, text.length);
                Files.write(corpus.resolve(index + "-" + number++), input);
            }
        }
    }
}
