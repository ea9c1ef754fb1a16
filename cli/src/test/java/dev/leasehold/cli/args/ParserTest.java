package dev.leasehold.cli.args;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ParserTest {
    private static final Option TTL = Option.of("ttl", "D", Kind.DURATION, "how long");
    private static final Option OR =
            Option.of("or", "NAME", Kind.LEASE_NAME, "another").repeated();
    private static final Option FORCE = Option.flag("force", "really");
    private static final Option ON_BUSY = Option.of("on-busy", "skip|wait", Kind.CHOICE, "what then");
    private static final Option REASON =
            Option.of("reason", "S", Kind.TEXT, "why").needed();

    private static CommandSpec simple() {
        return CommandSpec.of("do", "does")
                .positional(Positional.of("NAME", Kind.LEASE_NAME))
                .option(TTL)
                .option(OR)
                .option(FORCE)
                .option(ON_BUSY);
    }

    private static CommandSpec wrapping() {
        return CommandSpec.of("run", "runs")
                .positional(Positional.of("NAME", Kind.LEASE_NAME))
                .option(TTL)
                .passthrough("COMMAND...");
    }

    private static Arguments parse(CommandSpec spec, String... args) {
        return Parser.parse(spec, args, -1);
    }

    @Test
    void optionsAndPositionalsMayBeMixed() {
        Arguments before = parse(simple(), "--ttl", "5s", "x");
        Arguments after = parse(simple(), "x", "--ttl=5s");

        assertThat(before.positionals()).containsExactly("x");
        assertThat(before.duration(TTL)).isEqualTo(Duration.ofSeconds(5));
        assertThat(after.duration(TTL)).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void wordsAfterTwoDashesArePassedOn() {
        Arguments arguments = parse(wrapping(), "x", "--", "cmd", "--ttl", "--", "-h");

        assertThat(arguments.passthrough()).containsExactly("cmd", "--ttl", "--", "-h");
        assertThat(arguments.has(TTL)).isFalse();
        assertThat(arguments.has(CommonOptions.HELP)).isFalse();
    }

    @Test
    void withoutACommandToPassOnTwoDashesOnlyEndTheOptions() {
        assertThat(parse(simple(), "--", "--ttl").positionals()).containsExactly("--ttl");
    }

    @Test
    void repeatableOptionsKeepTheirOrderAndOthersAreRefusedTwice() {
        assertThat(parse(simple(), "x", "--or", "a", "--or=b").all(OR)).containsExactly("a", "b");
        assertThatThrownBy(() -> parse(simple(), "x", "--ttl", "1s", "--ttl=2s"))
                .isInstanceOf(UsageException.class)
                .hasMessage("--ttl is given twice");
    }

    @Test
    void aMissingValueIsNotTakenFromTheNextOption() {
        assertThatThrownBy(() -> parse(simple(), "x", "--ttl")).hasMessage("--ttl needs a value: --ttl D");
        assertThatThrownBy(() -> parse(simple(), "x", "--ttl", "--force")).hasMessageContaining("--ttl needs a value");
        assertThatThrownBy(() -> parse(wrapping(), "x", "--ttl", "--", "c"))
                .hasMessageContaining("--ttl needs a value");
    }

    @Test
    void aValueMayStartWithDashes() {
        assertThat(parse(simple(), "x", "--or", "-5").text(OR)).isEqualTo("-5");
        assertThat(parse(simple(), "x", "--or", "--nothing-of-ours").text(OR)).isEqualTo("--nothing-of-ours");
        assertThat(parse(simple(), "x", "--or=--force").text(OR)).isEqualTo("--force");
    }

    @Test
    void unknownOptionsSuggestTheNearest() {
        assertThatThrownBy(() -> parse(simple(), "x", "--tll", "5s"))
                .hasMessage("unknown option --tll; did you mean --ttl?");
        assertThatThrownBy(() -> parse(simple(), "x", "--quite")).hasMessageContaining("did you mean --quiet?");
        assertThatThrownBy(() -> parse(simple(), "x", "-force")).hasMessageContaining("did you mean --force?");
        assertThatThrownBy(() -> parse(simple(), "x", "--zzzzzz")).hasMessage("unknown option --zzzzzz");
    }

    @Test
    void flagsTakeNoValue() {
        assertThatThrownBy(() -> parse(simple(), "x", "--force=yes")).hasMessage("--force takes no value");
    }

    @Test
    void onlyTheListedChoicesAreAccepted() {
        assertThat(parse(simple(), "x", "--on-busy", "wait").text(ON_BUSY)).isEqualTo("wait");
        assertThatThrownBy(() -> parse(simple(), "x", "--on-busy", "wai"))
                .hasMessage("--on-busy 'wai' is not one of skip, wait");
    }

    @Test
    void positionalsAreCounted() {
        assertThatThrownBy(() -> parse(simple())).hasMessage("NAME is missing");
        assertThatThrownBy(() -> parse(simple(), "a", "b")).hasMessage("unexpected argument 'b'");
        CommandSpec several = CommandSpec.of("r", "r").positional(Positional.several("FILE", Kind.FILE));
        assertThat(parse(several, "a", "b", "c").positionals()).hasSize(3);
        assertThatThrownBy(() -> parse(several)).hasMessage("FILE is missing");
    }

    @Test
    void aCommandWithoutTheTwoDashesIsReported() {
        assertThatThrownBy(() -> parse(wrapping(), "x", "true")).hasMessageContaining("write -- before the command");
        assertThatThrownBy(() -> parse(wrapping(), "x", "--")).hasMessageContaining("no command to run");
        assertThatThrownBy(() -> parse(wrapping(), "x")).hasMessageContaining("no command to run");
    }

    @Test
    void requiredOptionsAreRequiredExceptForHelp() {
        CommandSpec spec = CommandSpec.of("c", "c").option(REASON);

        assertThatThrownBy(() -> parse(spec)).hasMessage("--reason S is missing");
        assertThat(parse(spec, "--help").has(CommonOptions.HELP)).isTrue();
        assertThat(parse(spec, "-h").has(CommonOptions.HELP)).isTrue();
    }

    @Test
    void commonOptionsMayComeBeforeTheCommand() {
        String[] args = {"--store", "file:/x", "--json", "status", "n"};

        assertThat(CommonOptions.commandIndex(args)).isEqualTo(3);
        Arguments arguments = Parser.parse(simple(), args, 3);
        assertThat(arguments.positionals()).containsExactly("n");
        assertThat(arguments.text(CommonOptions.STORE)).isEqualTo("file:/x");
    }

    @Test
    void badValuesNameTheirOptionAndAreShownSafely() {
        Arguments arguments = parse(simple(), "x", "--ttl", "1\n\u001b[31m");

        assertThatThrownBy(() -> arguments.duration(TTL))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("--ttl '1\\u000a\\u001b[31m': duration is not understood");
    }
}
