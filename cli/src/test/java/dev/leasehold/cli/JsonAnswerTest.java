package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.testkit.environment.Requires;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With {@code --json}, every command answers in JSON, or refuses the option and does not offer it. */
@Requires("git")
class JsonAnswerTest {
    /** SimulateCommandTest and SoakCommandTest have them; the program of these tests has no simulator. */
    private static final Set<String> OF_THE_SIMULATOR = Set.of("simulate", "soak");

    @TempDir
    Path directory;

    private CliRunner cli;
    private final Set<String> answered = new TreeSet<>();

    @BeforeEach
    void useAnEmptyStore() {
        cli = CliRunner.withStore(directory.resolve("store"))
                .env("HOME", directory.toString())
                .env("PATH", System.getenv("PATH"));
    }

    @Test
    void everyCommandAnswersInJsonOrRefusesTo() throws Exception {
        List.of("help", "help run", "completion fish", "version", "--version", "-h", "run --help")
                .forEach(this::answers);
        leases();
        targets();
        gitRemotes();
        work();
        jobs();
        answers("forget b --reason r"); // All new names start above its token.
        answers("store init");
        answers("store info");
        answers("doctor --rounds 20");
        answers("keys add me --role reader");
        answers("agent-hook install claude --user --dry-run");
        answers("agent-hook uninstall claude --user");
        serves("serve", "--listen", "127.0.0.1:0");
        serves("ui");
        Result demo = cli.process("demo", "--json");
        assertThat(demo.code()).as(demo.err()).isZero();
        assertThat(demo.out()).contains("\"refusedWithLease\":true");
        answer("demo", demo);

        Set<String> refusing = new TreeSet<>();
        Commands.specs().stream()
                .filter(spec -> spec.reasonAgainstJson() != null)
                .forEach(spec -> refusing.add(spec.name()));
        assertThat(refusing).containsExactly("deliver", "exec-fenced", "install", "mcp", "once", "run", "watch");
        Set<String> known = new TreeSet<>(answered);
        known.addAll(refusing);
        known.addAll(OF_THE_SIMULATOR);
        assertThat(known).containsAll(Commands.names());
        assertThat(answered).doesNotContainAnyElementsOf(refusing);
    }

    @Test
    void aCommandThatRefusesJsonDoesNotOfferIt() {
        for (CommandSpec spec : Commands.specs()) {
            String reason = spec.reasonAgainstJson();
            String help = cli.run(spec.name(), "--help").out();
            if (reason == null) {
                assertThat(help).contains("  --json ");
                continue;
            }
            assertThat(help).as(spec.name()).doesNotContain("  --json ");
            List<String> line = new ArrayList<>(
                    List.of(spec.example().replaceAll("(?s) -- .*", "").split(" ")));
            line.remove(0);
            line.add(1, "--json");
            line.addAll(spec.passthrough() == null ? List.of() : List.of("--", "true"));
            Result refused = cli.run(line.toArray(String[]::new));
            assertThat(refused.code()).as(line + refused.err()).isEqualTo(ExitCode.USAGE);
            assertThat(JsonText.object(refused.out()))
                    .containsEntry("outcome", "usage")
                    .extractingByKey("detail")
                    .asString()
                    .startsWith("--json cannot be used: " + reason);
        }
    }

    private void leases() {
        List.of(
                        "acquire a",
                        "check a --token 1",
                        "renew a --token 1",
                        "progress a --token 1 --note half",
                        "status",
                        "status a",
                        "history a",
                        "explain a",
                        "release a --token 1",
                        "acquire b",
                        "takeover b --reason r",
                        "cancel b --reason r",
                        "repair b --above 6 --reason r",
                        "advise a")
                .forEach(this::answers);
    }

    private void targets() throws IOException {
        Path page = directory.resolve("page");
        Path site = Files.createDirectory(directory.resolve("site"));
        cli.stdin("text");
        answers("acquire t");
        answers("write " + page + " --name t --token 1");
        answers("append " + directory.resolve("log") + " --name t --token 1");
        answers("publish " + site + " " + directory.resolve("published") + " --name t --token 1");
        answers("raise " + directory.resolve("other") + " --name t --token 1");
        answers("fence show " + page);
    }

    private void gitRemotes() throws Exception {
        Path remote = directory.resolve("remote.git");
        Path work = Files.createDirectory(directory.resolve("work"));
        Files.writeString(directory.resolve(".gitconfig"), "[user]\n\tname = U\n\temail = u@x\n");
        cli.env("GIT_CONFIG_NOSYSTEM", "1")
                .env("GIT_DIR", work.resolve(".git").toString())
                .env("GIT_WORK_TREE", work.toString());
        git("init", "--quiet", "--initial-branch", "main");
        git("commit", "--quiet", "--allow-empty", "--message", "first");
        git("clone", "--quiet", "--bare", work.toString(), remote.toString());
        git("remote", "add", "origin", remote.toString());
        answers("push origin main --name t --token 1");
        answers("git-hook status " + remote);
    }

    private void git(String... words) throws Exception {
        List<String> line = new ArrayList<>(List.of("git"));
        line.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(line).inheritIO();
        builder.environment().putAll(cli.environment());
        assertThat(builder.start().waitFor()).as(line.toString()).isZero();
    }

    private void work() {
        Object grant = JsonText.object(cli.run("acquire", "w", "--json").out()).get("grant");
        assertThat(cli.run("once", "mail", "--name", "w", "--token", "1", "--", "false")
                        .code())
                .isNotZero();
        answers("done monday --grant " + grant);
        answers("work");
        answers("release w --token 1");
        answers("settle mail --name w --made --reason r");
    }

    private void jobs() throws Exception {
        Path file = Files.writeString(
                directory.resolve("jobs.yaml"), "jobs: {tick: {schedule: '* * * * * *', shell: 'true'}}\n");
        answers("up --check -f " + file);
        cli.run("run", "tick", "--schedule", "* * * * * *", "--", "true");
        for (int i = 0; i < 600 && cli.run("health", "--overdue-after", "1ms").code() == 0; i++) {
            Thread.sleep(100);
        }
        answer("health", cli.run("health", "--overdue-after", "1ms", "--json"));
        List.of("due", "start tick", "pause tick --reason r", "resume tick --reason r", "resume tick --reason r")
                .forEach(this::answers);
    }

    private void answers(String line) {
        List<String> words = new ArrayList<>(List.of(line.split(" ", -1)));
        words.add("--json");
        Result result = cli.run(words.toArray(String[]::new));
        assertThat(result.code()).as(line + ": " + result.err()).isZero();
        answer(words.get(0), result);
    }

    private void answer(String command, Result result) {
        List<Map<String, Object>> lines = JsonText.lines(result.out());
        assertThat(lines).as(command + ": " + result.err()).isNotEmpty().allSatisfy(line -> assertThat(line)
                .isNotEmpty());
        answered.add(command);
        answered.remove("run"); // only its help
    }

    private void serves(String... command) throws Exception {
        List<String> words = new ArrayList<>(List.of(command));
        words.add("--json");
        Process server = cli.withDrivers().start(words.toArray(String[]::new));
        try (BufferedReader out = server.inputReader(StandardCharsets.UTF_8)) {
            assertThat(JsonText.object(out.readLine())).containsKey("url");
            answered.add(command[0]);
        } finally {
            server.destroyForcibly().waitFor();
        }
    }
}
