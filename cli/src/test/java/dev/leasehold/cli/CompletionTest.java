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

/** The completion scripts, run by a real shell. */
class CompletionTest {
    @TempDir
    Path directory;

    /** What bash offers for the last of these words. */
    private List<String> bash(String... words) throws IOException, InterruptedException {
        Path script = Files.writeString(
                directory.resolve("leasehold.bash"),
                new CliRunner().run("completion", "bash").out());
        List<String> arguments = new ArrayList<>(List.of("leasehold"));
        arguments.addAll(List.of(words));
        String program =
                "source \"$0\"; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _leasehold; printf '%s\\n' \"${COMPREPLY[@]-}\"";
        return shell(List.of("bash", "--norc", "--noprofile", "-uc", program), script, arguments);
    }

    private List<String> shell(List<String> interpreter, Path script, List<String> arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(interpreter);
        command.add(script.toString());
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(out).isZero();
        return out.lines().filter(line -> !line.isEmpty()).toList();
    }

    @Test
    void bashCompletesCommands() throws Exception {
        assertThat(bash("ac")).containsExactly("acquire");
        assertThat(bash("")).containsAll(Commands.names());
        assertThat(bash("--store", "file:/x", "hist")).containsExactly("history");
        assertThat(bash("help", "take")).containsExactly("takeover");
    }

    @Test
    void bashCompletesTheOptionsOfEveryCommand() throws Exception {
        for (CommandSpec spec : Commands.specs()) {
            List<String> expected = new ArrayList<>();
            spec.options().forEach(option -> expected.add(option.dashed()));
            spec.commonOptions().forEach(option -> expected.add(option.dashed()));

            assertThat(bash(spec.name(), "--")).as(spec.name()).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @Test
    void bashCompletesValuesByTheirKind() throws Exception {
        Files.writeString(directory.resolve("page one.html"), "");
        Files.createDirectory(directory.resolve("pages"));

        assertThat(bash("write", "pa")).containsExactlyInAnyOrder("page one.html", "pages");
        assertThat(bash("takeover", "x", "--guard", "page ")).containsExactly("page one.html");
        assertThat(bash("takeover", "x", "--guard", "=", "page ")).containsExactly("page one.html");
        assertThat(bash("run", "x", "--or", "y", "=", "page ")).containsExactly("page one.html");
        assertThat(bash("run", "x", "--or", "y", "=")).contains("page one.html");
        assertThat(bash("run", "x", "--or", "pa")).isEmpty();
        assertThat(bash("completion", "")).containsExactly("bash", "zsh", "fish");
        assertThat(bash("acquire", "x", "--ttl", "")).isEmpty();
        assertThat(bash("run", "x", "--", "bas")).contains("bash");
        assertThat(bash("run", "x", "--", "bash", "--t")).isEmpty();
        assertThat(bash("no-such-command", "--")).isEmpty();
    }

    /** With stubs of the functions of completion; {@link NameCompletionTest} uses the real ones. */
    @Test
    @Requires("zsh")
    void zshCompletesEveryCommandAndOption() throws Exception {
        Path script = Files.writeString(
                directory.resolve("leasehold.zsh"),
                new CliRunner().run("completion", "zsh").out());
        String listen = "compdef() { :; }; _describe() { printf '%s\\n' \"${commands[@]}\"; };"
                + " _arguments() { printf '%s\\n' \"$@\"; state=$wanted; }; source \"$0\";"
                + " words=(\"$1\"); CURRENT=1; wanted=$2; _leasehold";
        List<String> zsh = List.of("zsh", "-fc", listen);
        List<String> commands = shell(zsh, script, List.of("x", "command"));

        for (CommandSpec spec : Commands.specs()) {
            assertThat(commands).contains(spec.name() + ":" + spec.summary());
            List<String> offered = shell(zsh, script, List.of(spec.name(), "arguments"));
            assertThat(offered).contains("-S");
            // Once before the name of the command, and once behind it.
            assertThat(offered.stream().filter(line -> line.startsWith("--json[")))
                    .as(spec.name())
                    .hasSize(spec.reasonAgainstJson() == null ? 2 : 1);
            for (Option option : spec.options()) {
                String start = (option.repeatable() ? "*" : "") + option.dashed() + (option.takesValue() ? "=[" : "[");
                assertThat(offered).as(spec.name()).anyMatch(line -> line.startsWith(start));
            }
        }
    }
}
