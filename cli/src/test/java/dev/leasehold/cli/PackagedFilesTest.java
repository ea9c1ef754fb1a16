package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Option;
import dev.leasehold.testkit.environment.Requires;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PackagedFilesTest {
    @TempDir
    Path share;

    @Test
    @Requires({"groff", "gunzip"})
    void everyCommandHasAManualPageThatGroffAccepts() throws Exception {
        PackagedFiles.write(share);
        Path pages = share.resolve("man/man1");
        List<String> unpack = new ArrayList<>(List.of("gunzip"));
        unpack.add(pages.resolve("leasehold.1.gz").toString());
        for (CommandSpec spec : Commands.specs()) {
            unpack.add(pages.resolve("leasehold-" + spec.name() + ".1.gz").toString());
        }
        assertThat(output(unpack)).isEmpty();

        for (CommandSpec spec : Commands.specs()) {
            Path page = pages.resolve("leasehold-" + spec.name() + ".1");
            String shown = output(List.of("groff", "-ww", "-man", "-Tascii", "-P-cbou", page.toString()));

            assertThat(shown).as(spec.name()).doesNotContain("warning", "error:");
            String oneLine = shown.replaceAll("\\s+", " ");
            assertThat(oneLine)
                    .contains("leasehold-" + spec.name() + " - ", spec.example().replaceAll("\\s+", " "));
            for (Option option : spec.options()) {
                assertThat(oneLine).as(spec.name()).contains(option.dashed());
            }
            assertThat(oneLine.contains("--json print JSON"))
                    .as(spec.name())
                    .isEqualTo(spec.reasonAgainstJson() == null);
        }
        assertThat(output(List.of(
                        "groff",
                        "-ww",
                        "-man",
                        "-Tascii",
                        pages.resolve("leasehold.1").toString())))
                .doesNotContain("warning", "error:");
    }

    @Test
    void completionsAreWhereTheShellsLookForThem() throws IOException {
        PackagedFiles.write(share);

        assertThat(share.resolve("bash-completion/completions/leasehold")).isNotEmptyFile();
        assertThat(share.resolve("fish/vendor_completions.d/leasehold.fish")).isNotEmptyFile();
        assertThat(Files.readString(share.resolve("zsh/site-functions/_leasehold")))
                .startsWith("#compdef leasehold\n");
    }

    private static String output(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        try {
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return out;
        } finally {
            process.destroyForcibly();
        }
    }
}
