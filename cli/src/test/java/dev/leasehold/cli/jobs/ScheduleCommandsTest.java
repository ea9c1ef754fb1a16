package dev.leasehold.cli.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Stores;
import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.JsonText;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.events.RunAdvice;
import dev.leasehold.events.RunEntry;
import dev.leasehold.events.RunLog;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code run --schedule}, {@code up --check}, {@code due}, {@code pause} and {@code resume}, from
 * the command line.
 */
class ScheduleCommandsTest {
    private static final String EVERY_SECOND = "* * * * * *";

    @TempDir
    Path folder;

    private CliRunner cli;

    @BeforeEach
    void useAnEmptyStore() {
        cli = CliRunner.withStore(folder.resolve("store")).withDrivers().in(folder);
    }

    @Test
    void aSlotRunsUnderItsOwnKeyAndIsShownWithItsOutcome() {
        CliRunner.Result run = tick("echo $LEASEHOLD_KEY $LEASEHOLD_ATTEMPT $LEASEHOLD_TOKEN");

        assertThat(run.code()).as(run.err()).isZero();
        // On a slow machine the next slot may be due when the first has ended.
        String first = run.out().lines().findFirst().orElseThrow();
        assertThat(first).matches("tick@\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ 1 1");
        Map<String, Object> due = due();
        assertThat(due).containsEntry("schedule", EVERY_SECOND).containsEntry("zone", "UTC");
        assertThat(outcomes(due)).anySatisfy(outcome -> assertThat(outcome)
                .containsEntry("outcome", "ran")
                .containsEntry("slot", first.substring(5, 25)));
        assertThat(cli.run("explain", "tick").out())
                .contains("Slots of its schedule")
                .containsPattern("\\d ran");
        assertThat(cli.run("work", "--name", "tick").out())
                .as("no work items remain")
                .doesNotContain("tick@");
    }

    @Test
    void aCommandThatFailsMakesItsSlotFail() {
        CliRunner.Result run = tick("exit 3");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains("failed", "exit 3");
        assertThat(outcomes(due()))
                .anySatisfy(outcome ->
                        assertThat(outcome).containsEntry("outcome", "failed").containsEntry("reason", "exit 3"));
    }

    @Test
    void aScheduleThatIsNotDueRunsNothingAndSaysWhenItIs() {
        CliRunner.Result run = cli.process("run", "yearly", "--schedule", "0 0 29 2 *", "--", "echo", "ran");

        assertThat(run.code()).isZero();
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("yearly is due next at", "-02-2");
    }

    @Test
    void aPausedJobRunsNothingUntilItIsResumed() {
        tick("true");
        assertThat(cli.run("pause", "tick", "--reason", "moving house").code()).isZero();

        CliRunner.Result paused = tick("echo ran");
        assertThat(paused.out()).isEmpty();
        assertThat(cli.run("due").out()).contains("paused", "moving house");

        assertThat(cli.run("resume", "tick", "--reason", "moved").code()).isZero();
        // It shows the latest runs only, and the next ones may be many.
        assertThat(cli.run("explain", "tick").out()).contains("paused", "resumed", "moving house");
        assertThat(tick("echo ran").out().lines()).isNotEmpty().containsOnly("ran");
    }

    @Test
    void aScheduleShorterThanItsRunsCausesOneWarning() {
        RunLog log = new RunLog(Stores.create("file:" + folder.resolve("store")).register());
        RunEntry.Renewals renewals =
                new RunEntry.Renewals(Duration.ofSeconds(90), Duration.ofSeconds(30), 0, Duration.ZERO);
        for (int i = 1; i <= RunAdvice.LEAST_RUNS; i++) {
            Instant at = Instant.EPOCH.plusSeconds(i);
            FencingToken token = FencingToken.of(i);
            Duration took = Duration.ofSeconds(4);
            log.append(LeaseName.of("tick"), new RunEntry(at, "ran", token, Holder.of("m"), took, "", renewals));
        }

        CliRunner.Result run = tick("true");

        assertThat(run.err().lines().filter(line -> line.contains("warning")))
                .singleElement()
                .asString()
                .contains("tick is due every 1s", "takes 4s or longer", "leasehold advise tick");
    }

    @Test
    void onlyAJobThatIsKnownCanBePaused() {
        assertThat(cli.run("pause", "tikc", "--reason", "x").code()).isEqualTo(ExitCode.USAGE);
        assertThat(cli.run("due", "tikc").err()).contains("this store has no job tikc");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--schedule|61 * * * *|'minute'|0-59",
                "--schedule|* * * *|4 fields|second first",
                "--zone|Europe/Berln|zone|did you mean Europe/Berlin?",
                "--catch-up|-1|--catch-up|from 0 to 50",
                "--report|report.json|--report|due",
                "--key|k|--key|its own key"
            })
    void invalidOptionsAreRefusedBeforeAnythingHappens(String option, String value, String field, String allowed) {
        List<String> base = option.equals("--schedule") ? List.of() : List.of("--schedule", EVERY_SECOND);
        List<String> words = new java.util.ArrayList<>(List.of("run", "tick"));
        words.addAll(base);
        words.addAll(List.of(option, value, "--", "true"));

        CliRunner.Result result = cli.run(words.toArray(String[]::new));

        assertThat(result.code()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains(field, allowed);
    }

    @Test
    void checkPrintsTheNextSlotsInTheJobsOwnZone() throws Exception {
        Path file = Files.writeString(
                folder.resolve("jobs.yaml"),
                """
                zone: Asia/Kolkata
                jobs:
                  nightly: {schedule: "30 2 * * *", command: ["true"]}
                """);

        CliRunner.Result check = cli.run("up", "--check", "-f", file.toString());
        CliRunner.Result json = cli.run("up", "--check", "--json", "--file", file.toString());

        assertThat(check.code()).as(check.err()).isZero();
        assertThat(check.out()).containsSubsequence("nightly", "02:30:00 +05:30", "02:30:00 +05:30");
        assertThat((List<?>) JsonText.object(json.out()).get("next")).hasSize(3);
    }

    @Test
    void aFileWithMistakesIsRefusedWithLinesAndFields() throws Exception {
        Path file = Files.writeString(folder.resolve("jobs.yaml"), "jobs:\n  a:\n    schdule: x\n    shell: y\n");

        CliRunner.Result check = cli.run("up", "--check", "-f", file.toString());

        assertThat(check.code()).isEqualTo(ExitCode.USAGE);
        assertThat(check.err()).contains("jobs.yaml:3: jobs.a.schdule", "did you mean schedule?");
        assertThat(cli.run("up", "-f", folder.resolve("none.yaml").toString()).err())
                .contains("does not exist", "-f FILE");
    }

    private CliRunner.Result tick(String line) {
        return cli.process("run", "tick", "--schedule", EVERY_SECOND, "--zone", "UTC", "--", "sh", "-c", line);
    }

    private Map<String, Object> due() {
        return JsonText.object(cli.run("due", "tick", "--json").out());
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> outcomes(Map<String, Object> due) {
        return (List<Map<String, Object>>) due.get("outcomes");
    }
}
