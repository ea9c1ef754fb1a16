package dev.leasehold.cli.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.OnlyFromClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings of agents that cannot be changed, and several programs that change them. */
class HookInstallationTest {
    private static final String COMMENTED = "{ // mine\n}";

    @TempDir
    Path directory;

    private Path settings;
    private CliRunner cli;

    @BeforeEach
    void start() throws IOException {
        Path repo = Files.createDirectories(directory.resolve("my repo/.git")).getParent();
        settings = Files.createDirectories(repo.resolve(".claude")).resolve("settings.json");
        cli = CliRunner.withStore(directory.resolve("store"))
                .env("HOME", directory.toString())
                .in(repo);
    }

    @Test
    void settingsWithCommentsAreLeftAloneAndTheUserIsToldWhatToAdd() throws IOException {
        Files.writeString(settings, COMMENTED);

        Result refused = cli.process("agent-hook", "install", "claude");
        assertThat(refused.code()).isEqualTo(69);
        assertThat(refused.err())
                .contains("Nothing was changed", "If it has comments, remove them")
                .contains("\"PreToolUse\"", "agent-hook claude || exit 2");
        assertThat(settings).hasContent(COMMENTED);
    }

    @Test
    void settingsThatCannotBeReadDoNotHideTheOthers() throws IOException {
        assertThat(cli.process("agent-hook", "install", "gemini").code()).isZero();
        Files.write(settings, new byte[] {(byte) 0xff, '{', '}'});

        assertThat(cli.process("agent-hook", "install", "claude").err()).contains("it is not UTF-8");
        Result status = cli.process("agent-hook", "status");
        assertThat(status.out()).contains("gemini: guarded");
        assertThat(status.err()).contains("settings.json cannot be read: it is not UTF-8");
    }

    @Test
    void installationsAtTheSameTimeLeaveWholeSettings() throws Exception {
        List<Process> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(cli.start("--quiet", "agent-hook", "install", "claude"));
        }
        for (Process one : all) {
            // One that was overtaken says so.
            assertThat(one.waitFor()).isIn(0, 69);
        }
        assertThat(cli.process("agent-hook", "install", "claude").out()).contains("unchanged");
        try (Stream<Path> files = Files.list(settings.getParent())) {
            assertThat(files).containsExactly(settings);
        }
    }

    /** An agent that may not stop goes on for ever, so only tool calls are blocked. */
    @Test
    @OnlyFromClasses("the launcher says where it is")
    void aProgramThatIsGoneBlocksToolCallsAndNoStop() throws Exception {
        cli.launchedFrom(directory.resolve("gone")).process("agent-hook", "install", "claude");
        String text = Files.readString(settings);

        assertThat(exitOf(text, "PreToolUse")).isEqualTo(2);
        assertThat(exitOf(text, "PostToolUse")).isEqualTo(2);
        assertThat(exitOf(text, "Stop")).isEqualTo(1);
        assertThat(exitOf(text, "SessionEnd")).isEqualTo(1);
    }

    private static int exitOf(String settings, String event) throws Exception {
        String rest = settings.substring(settings.indexOf("\"" + event + "\""));
        String start = "\"command\": \"";
        int at = rest.indexOf(start) + start.length();
        Process shell = new ProcessBuilder("sh", "-c", rest.substring(at, rest.indexOf("\",", at)))
                .redirectErrorStream(true)
                .start();
        shell.getInputStream().readAllBytes();
        return shell.waitFor();
    }
}
