package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.CommonOptions;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.args.Parser;
import dev.leasehold.cli.command.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MainTest {
    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

    @TempDir
    Path directory;

    static Stream<String> commands() {
        return Commands.names().stream();
    }

    @Test
    void theOverviewNamesEveryCommand() {
        Result result = new CliRunner().run("--help");

        assertThat(result.code()).isZero();
        assertThat(result.err()).isEmpty();
        for (String name : Commands.names()) {
            assertThat(result.out()).containsPattern("(?m)^  " + name + " +\\S");
        }
        assertThat(new CliRunner().run("help").out()).isEqualTo(result.out());
        assertThat(new CliRunner().run("-h").out()).isEqualTo(result.out());
        assertThat(result.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
    }

    @Test
    void theOverviewGroupsCommandsByTheirPackage() {
        for (Commands.Group group : Commands.groups()) {
            assertThat(group.names().stream()
                            .map(name -> Commands.named(name).getClass().getPackageName())
                            .filter(room -> !room.equals("dev.leasehold.cli"))
                            .distinct())
                    .as(group.title())
                    .hasSize(1);
            assertThat(new CliRunner().run("--help").out()).contains("\n\n" + group.title() + ":\n");
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandShowsItsOptionsAndAnExample(String name) {
        CommandSpec spec = Commands.named(name).spec();
        Result result = new CliRunner().run(name, "--help");

        assertThat(spec.name()).isEqualTo(name);
        assertThat(result.code()).isZero();
        assertThat(result.err()).isEmpty();
        assertThat(result.out())
                .startsWith("Usage: leasehold " + name)
                .contains("Example:\n  " + spec.example() + "\n");
        for (Option option : spec.options()) {
            assertThat(result.out()).contains("  --" + option.name());
        }
        assertThat(result.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
        assertThat(new CliRunner().run("help", name).out()).isEqualTo(result.out());
        assertThat(new CliRunner().run("--help", name).out()).isEqualTo(result.out());
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyExampleIsAValidCommandLine(String name) {
        CommandSpec spec = Commands.named(name).spec();
        String line = spec.example().substring(spec.example().indexOf("leasehold "));
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(line.replaceAll("(\\)$| && .*| [|<>] .*)", ""));
        while (word.find()) {
            words.add(word.group(1) == null ? word.group(2) : word.group(1));
        }

        assertThat(words).startsWith("leasehold", name);
        assertThat(Parser.parse(spec, words.subList(1, words.size()).toArray(String[]::new), 0)
                        .has(CommonOptions.HELP))
                .isFalse();
    }

    @Test
    void theVersionIsOneLine() {
        Result result = new CliRunner().run("--version");

        assertThat(result.code()).isZero();
        assertThat(result.out()).startsWith("leasehold ").hasLineCount(1);
    }

    @Test
    void unknownCommandsSuggestTheNearest() {
        Result result = new CliRunner().run("aquire", "x");

        assertThat(result.code()).isEqualTo(ExitCode.USAGE);
        assertThat(result.out()).isEmpty();
        assertThat(result.err())
                .isEqualTo("leasehold: unknown command 'aquire'; did you mean acquire? (see 'leasehold --help')\n");
        assertThat(new CliRunner().run("help", "wriet").err()).contains("did you mean write?");
    }

    @Test
    void noCommandIsAUsageError() {
        assertThat(new CliRunner().run().code()).isEqualTo(ExitCode.USAGE);
        assertThat(new CliRunner().run("--json").err()).contains("no command is given");
        assertThat(new CliRunner().run("").err()).contains("no command is given");
        assertThat(new CliRunner().run("--verion").err()).contains("unknown option '--verion'");
    }

    @Test
    void usageErrorsSayWhereHelpIs() {
        Result result = CliRunner.withMissingStore(directory).run("acquire", "x", "--tll", "5s");

        assertThat(result.code()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err())
                .isEqualTo("leasehold: unknown option --tll; did you mean --ttl? (see 'leasehold acquire --help')\n");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    @OnlyFromClasses("only a test can make an input that throws")
    void anInternalErrorIsOneLineAndATraceOnlyWithDebug() {
        String file = directory.resolve("f").toString();
        assertThat(brokenInput("write", file, "--name", "x", "--token", "1"))
                .startsWith(
                        "70 leasehold: internal error: IllegalStateException: broken pipe organ; run the command again")
                .hasLineCount(1);
        assertThat(brokenInput("write", file, "--name", "x", "--token", "1", "--debug"))
                .startsWith("70 leasehold: internal error")
                .contains("    at dev.leasehold.");
        assertThat(directory).isDirectoryNotContaining("glob:**f");
    }

    private static String brokenInput(String... args) {
        InputStream broken = new InputStream() {
            @Override
            public int read() {
                throw new IllegalStateException("broken pipe organ");
            }

            @Override
            public int read(byte[] buffer, int offset, int length) {
                return read();
            }
        };
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Main.execute(args, Map.of(), broken, print(new ByteArrayOutputStream()), print(err));
        return code + " " + err.toString(StandardCharsets.UTF_8);
    }

    private static PrintStream print(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }
}
