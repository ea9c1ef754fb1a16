package dev.leasehold.cli.github;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.testkit.environment.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The GitHub action, and the steps of the documents that use it, as a runner would start them. */
class GitHubActionTest {
    private static final Path ROOT = Path.of(System.getProperty("leasehold.root"));
    private static final Path ACTION = ROOT.resolve("packaging/action");

    @TempDir
    Path directory;

    private Path store;
    private CliRunner cli;
    private String path;

    /** How the action ended: the exit code of its step, what it showed, and its output. */
    private record Used(int code, String shown, String outcome) {}

    @BeforeEach
    void createTheStoreAndPutTheProgramOnThePath() throws IOException {
        store = directory.resolve("secret-store");
        cli = CliRunner.withStore(store);
        Path program = new CliRunner().script(Files.createDirectory(directory.resolve("bin")));
        path = program.getParent() + ":" + System.getenv("PATH");
    }

    @Test
    void aStepRunsUnderTheLeaseAndTheStoreIsOnNoCommandLine() throws Exception {
        Used used = use("deploy", "echo \"token $LEASEHOLD_TOKEN\"\ntr '\\0' ' ' < /proc/$PPID/cmdline");

        assertThat(used.shown()).contains("token 1").doesNotContain("secret-store");
        assertThat(used.code()).isZero();
        assertThat(used.outcome()).isEqualTo("ran");
    }

    @Test
    void aMissingSecretIsToldAndNothingRuns() throws Exception {
        Used used = use(Map.of("name", "deploy", "run", "echo started", "store", ""));

        assertThat(used.code()).isEqualTo(64);
        assertThat(used.shown()).contains("::error::the input 'store' is empty").doesNotContain("started");
    }

    @Test
    void aMissingProgramIsTold() throws Exception {
        Files.delete(directory.resolve("bin/leasehold"));
        // Nor may one that is installed on this machine be there.
        Files.createSymbolicLink(directory.resolve("bin/bash"), Path.of("/bin/bash"));
        path = directory.resolve("bin").toString();
        Used used = use("deploy", "echo started");

        assertThat(used.code()).isEqualTo(127);
        assertThat(used.shown())
                .contains("::error::leasehold is not on the PATH")
                .doesNotContain("started");
    }

    /** The script stops at its first failure, also within a pipe, as the steps of GitHub do. */
    @Test
    void aFailingCommandFailsTheStepWithItsExitCode() throws Exception {
        Used used = use("deploy", "(exit 3) | cat\necho later");

        assertThat(used.code()).as(used.shown()).isEqualTo(3);
        assertThat(used.outcome()).isEqualTo("ran");
        assertThat(used.shown()).doesNotContain("later");
        assertThat(cli.run("acquire", "deploy").outLine())
                .as("the lease is free again")
                .isEqualTo("2");
    }

    @Test
    void aBusyLeaseSkipsTheCommandAndTheStepSucceeds() throws Exception {
        assertThat(cli.run("acquire", "deploy").code()).isZero();
        Used used = use("deploy", "echo started");

        assertThat(used.code()).as(used.shown()).isZero();
        assertThat(used.outcome()).isEqualTo("skipped");
        assertThat(used.shown()).doesNotContain("started");
    }

    /** The lease of the holder ends by itself, after the step has begun to wait. */
    @Test
    void aStepThatWaitsRunsWhenTheLeaseIsFree() throws Exception {
        assertThat(cli.run("acquire", "deploy", "--ttl", "4s").code()).isZero();
        Map<String, String> with = inputs("deploy", "echo \"token $LEASEHOLD_TOKEN\"");
        with.put("wait", "50s");
        Used used = use(with);

        assertThat(used.code()).as(used.shown()).isZero();
        assertThat(used.shown()).contains("token 2");
        assertThat(used.outcome()).isEqualTo("ran");
    }

    /** The archive of the example is one with a program that is in this build. */
    @Test
    @Requires("curl")
    void theStepsOfTheDocumentsWorkAsTheyAre() throws Exception {
        Map<String, Object> example = WorkflowStep.parse(exampleOfTheDocuments());
        Files.createDirectory(directory.resolve("leasehold-0.1.0"));
        Files.move(directory.resolve("bin/leasehold"), directory.resolve("leasehold-0.1.0/leasehold"));
        Path archive = directory.resolve("archive.tar.gz");
        assertThat(new ProcessBuilder("tar", "czf", archive.toString(), "-C", directory.toString(), "leasehold-0.1.0")
                        .start()
                        .waitFor())
                .isZero();
        Path added = directory.resolve("added-to-the-path");
        Map<String, Object> action = null;
        for (Object each : (List<?>) example.get("steps")) {
            Map<String, Object> step = WorkflowStep.fields(each);
            if (String.valueOf(step.get("uses")).endsWith("/leasehold")) {
                action = step;
            }
        }
        WorkflowStep install = WorkflowStep.scripts(example).get(0);
        WorkflowStep.Ended installed = install.env("GITHUB_PATH", added.toString())
                .env(
                        "RUNNER_TEMP",
                        Files.createDirectory(directory.resolve("runner")).toString())
                .run(directory, Map.of("vars.LEASEHOLD_ARCHIVE", archive.toUri().toString()));
        assertThat(installed.code()).as(installed.out()).isZero();
        path = Files.readString(added).strip() + ":" + System.getenv("PATH");

        Map<String, String> with = new TreeMap<>();
        WorkflowStep.fields(action.get("with"))
                .forEach((name, value) -> with.put(
                        name,
                        WorkflowStep.evaluate(
                                String.valueOf(value), Map.of("secrets.LEASEHOLD_STORE", "file:" + store))));
        Files.writeString(directory.resolve("deploy.sh"), "#!/bin/sh\necho \"deployed with token $LEASEHOLD_TOKEN\"\n");
        assertThat(directory.resolve("deploy.sh").toFile().setExecutable(true)).isTrue();
        Used used = use(with);

        assertThat(used.code()).as(used.shown()).isZero();
        assertThat(used.shown()).contains("deployed with token 1");
        assertThat(used.outcome()).isEqualTo("ran");
    }

    private static String exampleOfTheDocuments() throws IOException {
        for (String block : Files.readString(ROOT.resolve("docs/install.md")).split("```yaml\n", -1)) {
            if (block.startsWith("steps:")) {
                return block.substring(0, block.indexOf("```"));
            }
        }
        throw new AssertionError("docs/install.md has no example");
    }

    private Map<String, String> inputs(String name, String run) {
        return new TreeMap<>(Map.of("name", name, "run", run, "store", "file:" + store));
    }

    private Used use(String name, String run) throws Exception {
        return use(inputs(name, run));
    }

    /** Uses the action as a runner does: the inputs and their defaults become expressions, and so does what a step puts out. */
    private Used use(Map<String, String> with) throws Exception {
        Map<String, Object> action = WorkflowStep.read(ACTION.resolve("action.yml"));
        Map<String, Object> inputs = WorkflowStep.fields(action.get("inputs"));
        assertThat(inputs.keySet()).containsAll(with.keySet());
        Map<String, String> expressions = new TreeMap<>();
        inputs.forEach((name, about) -> {
            Map<String, Object> input = WorkflowStep.fields(about);
            assertThat(input.get("required").equals(true) && !with.containsKey(name))
                    .as(name)
                    .isFalse();
            expressions.put("inputs." + name, with.getOrDefault(name, String.valueOf(input.get("default"))));
        });
        List<WorkflowStep> steps = WorkflowStep.scripts(WorkflowStep.fields(action.get("runs")));
        assertThat(steps).hasSize(1);
        Path output = Files.createTempFile(directory, "output", "");
        WorkflowStep.Ended ended = steps.get(0)
                .env("GITHUB_ACTION_PATH", ACTION.toString())
                .env("GITHUB_OUTPUT", output.toString())
                .env("PATH", path)
                .run(directory, expressions);
        Map<String, String> outputs = new TreeMap<>(Map.of("steps.run.outputs.outcome", ""));
        for (String line : Files.readAllLines(output)) {
            outputs.put(
                    "steps.run.outputs." + line.substring(0, line.indexOf('=')), line.substring(line.indexOf('=') + 1));
        }
        Map<String, Object> outcome =
                WorkflowStep.fields(WorkflowStep.fields(action.get("outputs")).get("outcome"));
        return new Used(
                ended.code(), ended.out(), WorkflowStep.evaluate(String.valueOf(outcome.get("value")), outputs));
    }
}
