package dev.leasehold.cli.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Stores;
import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.JsonText;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.events.RunEntry;
import dev.leasehold.events.RunLog;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Work items on the command line, with real processes where a command is run. */
class WorkCommandsTest {
    @TempDir
    Path scratch;

    private CliRunner cli;
    private String leasehold;

    @BeforeEach
    void setUp() throws IOException {
        cli = CliRunner.withStore(scratch.resolve("store")).in(scratch);
        leasehold = cli.script(scratch).toString();
    }

    private Map<String, Object> item(String key) {
        return JsonText.object(cli.run("work", key, "--json").out());
    }

    @Test
    void aKeyThatIsDoneIsNotRunAgain() throws IOException {
        Result first = cli.runJob("echo $LEASEHOLD_KEY $LEASEHOLD_ATTEMPT ${LEASEHOLD_CHECKPOINT-none}", "--key", "k1");
        assertThat(first.code()).as(first.err()).isZero();
        assertThat(first.out()).isEqualTo("k1 1 none\n");
        assertThat(item("k1")).containsEntry("state", "done").containsEntry("attempts", 1L);

        Path report = scratch.resolve("report");
        Result second = cli.runJob("echo again", "--key", "k1", "--report", report.toString());

        assertThat(second.code()).isZero();
        assertThat(second.out()).isEmpty();
        assertThat(second.err()).contains("k1", "has been done", "not run again");
        assertThat(JsonText.object(Files.readString(report)))
                .containsEntry("outcome", "already-done")
                .containsEntry("key", "k1");
        assertThat(cli.run("history", "job", "--json").out().lines())
                .as("the lease was not acquired")
                .hasSize(1);
        assertThat(cli.run("explain", "job").out()).contains("1 already done", "1 acquired", "1 ran");
    }

    @Test
    void aFailedRunIsRetriedFromItsCheckpoint() {
        Result failed = cli.runJob("'" + leasehold + "' progress --checkpoint 'page 7' && exit 3", "--key", "k2");
        assertThat(failed.code()).as(failed.err()).isEqualTo(3);
        assertThat(item("k2"))
                .containsEntry("state", "failed")
                .containsEntry("lastError", "exit 3")
                .containsEntry("checkpoint", "page 7");

        Result again = cli.runJob("echo $LEASEHOLD_ATTEMPT $LEASEHOLD_CHECKPOINT", "--key", "k2");

        assertThat(again.out()).isEqualTo("2 page 7\n");
        assertThat(item("k2")).containsEntry("state", "done");
    }

    @Test
    void theResultThatTheCommandGaveIsKept() {
        Result run = cli.runJob("'" + leasehold + "' done --result 'forty pages'", "--key", "k3");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(item("k3")).containsEntry("result", "forty pages");
        Result again = cli.runJob("echo again", "--key", "k3");
        assertThat(again.out()).isEmpty();
        assertThat(again.err()).contains("forty pages");
    }

    @Test
    void anotherInputIsAnError() {
        cli.runJob("true", "--key", "k4", "--fingerprint", "a");
        assertThat(cli.runJob("true", "--key", "k4", "--fingerprint", "a").code())
                .isZero();
        Result other = cli.runJob("echo ran", "--key", "k4", "--fingerprint", "b");
        assertThat(other.code()).isEqualTo(ExitCode.USAGE);
        assertThat(other.out()).isEmpty();
        assertThat(other.err()).contains("another input");
    }

    @Test
    void aRunThatLosesItsLeaseCompletesNothing() {
        Result lost = cli.runJob(
                "'" + leasehold + "' takeover job --reason test; sleep 30",
                "--key",
                "k5",
                "--ttl",
                "3s",
                "--grace",
                "0s");
        assertThat(lost.code()).as(lost.err()).isEqualTo(ExitCode.LOST);
        assertThat(item("k5")).containsEntry("state", "failed").containsEntry("attempts", 1L);
    }

    @Test
    void aRunThatWasKilledIsResumedByTheNextOne() throws Exception {
        Process killed = cli.start(
                "run",
                "job",
                "--ttl",
                "2s",
                "--key",
                "k7",
                "--",
                "sh",
                "-c",
                "'" + leasehold + "' progress --checkpoint 'page 9' && touch reached && sleep 60");
        try {
            for (int i = 0; i < 3000 && !Files.exists(scratch.resolve("reached")); i++) {
                Thread.sleep(10);
            }
            assertThat(scratch.resolve("reached")).exists();
        } finally {
            killed.destroyForcibly();
        }
        assertThat(item("k7")).containsEntry("state", "running").containsEntry("checkpoint", "page 9");

        Result next = cli.runJob(
                "echo $LEASEHOLD_TOKEN $LEASEHOLD_ATTEMPT $LEASEHOLD_CHECKPOINT", "--wait", "30s", "--key", "k7");

        assertThat(next.code()).as(next.err()).isZero();
        assertThat(next.out()).isEqualTo("2 2 page 9\n");
        assertThat(item("k7")).containsEntry("state", "done").containsEntry("attempts", 2L);
    }

    @Test
    void theFallbackNameWorksOnTheSameKey() {
        cli.run("acquire", "job", "--ttl", "10m");
        Result fallback = cli.runJob(
                "'" + leasehold + "' progress --checkpoint half; '" + leasehold + "' done --result r",
                "--or",
                "other",
                "--key",
                "k6");
        assertThat(fallback.code()).as(fallback.err()).isZero();
        assertThat(item("k6"))
                .containsEntry("name", "job")
                .containsEntry("lease", "other")
                .containsEntry("checkpoint", "half")
                .containsEntry("result", "r");
    }

    @Test
    void doneByAStaleTokenIsRefusedAndChangesNothing() {
        String first = grant("acquire", "job");
        String second = grant("takeover", "job", "--reason", "test");

        Result stale = cli.run("done", "k", "--grant", first, "--json");
        assertThat(stale.code()).isEqualTo(ExitCode.STALE);
        assertThat(JsonText.object(stale.out())).containsEntry("outcome", "stale");
        assertThat(item("k")).containsEntry("state", "unknown");

        Result done =
                cli.run("done", "k", "--name", "job", "--token", "2", "--grant", second, "--result", "right", "--json");
        assertThat(done.code()).as(done.err()).isZero();
        assertThat(JsonText.object(done.out())).containsEntry("outcome", "completed");
        Result twice = cli.run("done", "k", "--grant", second, "--result", "other", "--json");
        assertThat(JsonText.object(twice.out()))
                .containsEntry("outcome", "repeated")
                .containsEntry("result", "right");
        assertThat(cli.run("done", "k", "--grant", first).code()).isEqualTo(ExitCode.STALE);

        String third = grant("takeover", "job", "--reason", "test");
        Result later = cli.env("LEASEHOLD_GRANT", third).run("done", "k", "--result", "other", "--json");
        cli.without("LEASEHOLD_GRANT");
        assertThat(later.code()).isZero();
        assertThat(JsonText.object(later.out()))
                .containsEntry("outcome", "already-done")
                .containsEntry("result", "right");
    }

    private String grant(String... command) {
        String[] words = Arrays.copyOf(command, command.length + 1);
        words[command.length] = "--json";
        return (String) JsonText.object(cli.run(words).out()).get("grant");
    }

    @Test
    void workIsListedShownAndReopened() {
        String grant = grant("acquire", "job");
        cli.run("done", "a", "--grant", grant, "--result", "line\nbreak");
        cli.run("done", "b", "--grant", grant);
        assertThat(cli.run("work").out()).contains("a", "b", "done", "line\\u000abreak");
        assertThat(cli.run("work", "--json").out().lines()).hasSize(2);
        assertThat(cli.run("work", "--state", "failed").out()).contains("no work items");
        assertThat(cli.run("work", "a").out()).contains("key a of job has been done since", "result: line\\u000abreak");

        assertThat(cli.run("work", "a", "--retry").code()).isEqualTo(ExitCode.USAGE);
        assertThat(cli.run("work", "c", "--retry", "--reason", "r").code()).isEqualTo(ExitCode.USAGE);
        Result retry = cli.run("work", "a", "--retry", "--reason", "wrong prices");
        assertThat(retry.code()).as(retry.err()).isZero();
        assertThat(item("a")).containsEntry("state", "open").containsEntry("reason", "wrong prices");
        assertThat(cli.runJob("echo ran", "--wait", "1ms", "--key", "a").out())
                .as("the lease is held")
                .isEmpty();
        cli.run("release", "job", "--token", "1");
        assertThat(cli.runJob("echo ran", "--key", "a").out()).isEqualTo("ran\n");
    }

    @Test
    void effectsAreStoredWithTheCompletionAndDeliveredUnderTheirIds() {
        String[] done = {"done", "k", "--grant", grant("acquire", "job"), "--effect", "mail", "--effect", "post"};
        assertThat(cli.run(done).code()).isZero();
        String carry = "echo $LEASEHOLD_EFFECT_ID $LEASEHOLD_EFFECT; test ";

        Result first = deliver("1", carry + "\"$LEASEHOLD_EFFECT\" = mail");
        assertThat(first.code()).as(first.err()).isEqualTo(ExitCode.FAILED);
        assertThat(first.out()).isEqualTo("k#1 mail\nk#2 post\n");
        assertThat(first.err()).contains("effect k#2 was not delivered", "exit 1", "1 delivered");
        assertThat(cli.run("work", "--prune", "1ms").out()).contains("0 pruned");

        cli.run("takeover", "job", "--reason", "test");
        assertThat(deliver("1", carry + "-n mail").code()).isEqualTo(ExitCode.NOT_CURRENT);
        assertThat(deliver("2", carry + "-n post").out()).isEqualTo("k#2 post\n");
        assertThat(cli.run("work", "k").out()).contains("effect k#1, delivered", "effect k#2, delivered");
        assertThat(cli.run("work", "--prune", "1ms").out()).contains("1 pruned");
        assertThat(item("k")).containsEntry("state", "unknown");
    }

    private Result deliver(String token, String script) {
        return cli.process("deliver", "--name", "job", "--token", token, "--", "sh", "-c", script);
    }

    @Test
    void badInputIsRefusedBeforeAnythingChanges() {
        String grant = grant("acquire", "job");
        assertThat(cli.run("done", "a b", "--grant", grant).code()).isEqualTo(ExitCode.USAGE);
        assertThat(cli.run("done", "a#1", "--grant", grant).err()).contains("ids of effects");
        assertThat(cli.run("done", "--grant", grant).err()).contains("no work key");
        assertThat(cli.run("done", "a", "--name", "job").code()).isEqualTo(ExitCode.USAGE);
        Result large = cli.run("done", "a", "--grant", grant, "--result", "x".repeat(8193));
        assertThat(large.code()).isEqualTo(ExitCode.USAGE);
        assertThat(large.err()).contains("8192").hasSizeLessThan(400);
        assertThat(cli.run("done", "a", "--grant", grant, "--effect", "x".repeat(1025))
                        .err())
                .contains("1024");
        assertThat(cli.run("work").out()).contains("no work items");
        assertThat(cli.run("work", "a", "--prune", "1d").code()).isEqualTo(ExitCode.USAGE);
        assertThat(cli.run("work", "--prune", "0s").code()).isEqualTo(ExitCode.USAGE);
        assertThat(cli.run("run", "job", "--key", "a b", "--", "true").code()).isEqualTo(ExitCode.USAGE);
        assertThat(cli.run("run", "job", "--fingerprint", "x", "--", "true").err())
                .contains("--key");
    }

    @Test
    void adviceComesFromRecordedRuns() {
        assertThat(cli.run("advise", "job").out()).contains("is recorded yet");
        RunLog log =
                new RunLog(Stores.create("file:" + scratch.resolve("store")).register());
        RunEntry.Renewals late =
                new RunEntry.Renewals(Duration.ofSeconds(90), Duration.ofSeconds(30), 9, Duration.ofSeconds(70));
        for (int i = 1; i <= 6; i++) {
            assertThat(cli.run("advise", "job").out().contains("--ttl")).isEqualTo(i > 5);
            log.append(
                    LeaseName.of("job"),
                    new RunEntry(
                            Instant.EPOCH.plusSeconds(i),
                            "ran",
                            FencingToken.of(i),
                            Holder.of("me"),
                            Duration.ofMinutes(i),
                            "exit 0",
                            late));
        }
        assertThat(cli.run("advise", "job").out())
                .contains(
                        "6 runs, median 3m, p95 6m, worst 6m",
                        "up from 1m30s",
                        "worst stall so far was 40s",
                        "9m to 12m");
        Map<String, Object> json =
                JsonText.object(cli.run("advise", "job", "--json").out());
        assertThat(json).containsEntry("worstStallMs", 40_000L).containsKeys("renewed", "unrenewed");
    }

    @Test
    void aRunWithoutAKeyLoadsNothingOfTheLedger() {
        Result run = cli.jvmOption("-Xlog:class+load:file=" + scratch.resolve("classes"))
                .process("run", "job", "--", "true");
        assertThat(run.code()).isZero();
        assertThat(scratch.resolve("classes"))
                .content()
                .contains("dev.leasehold.events.RunLog")
                .doesNotContain("dev.leasehold.work.", "RunWorkItem");
    }

    @Test
    void theNameOfALeaseInPlaceOfAKeyIsExplained() {
        cli.runJob("true", "--key", "k1");

        assertThat(cli.run("work", "job").out()).contains("key job is unknown", "leasehold work --name job");
        assertThat(cli.run("work", "other").out())
                .contains("key other is unknown")
                .doesNotContain("--name");
        assertThat(item("job")).containsEntry("state", "unknown");
        assertThat(cli.run("work", "job", "--retry", "--reason", "r").err()).contains("leasehold work --name job");
    }

    @Test
    void aMistypedNameIsNotedAndTheNearestIsNamed() {
        cli.runJob("true", "--key", "k1");
        cli.run("acquire", "idle");

        assertThat(cli.run("work", "--name", "jbo").err()).contains("jbo", "did you mean job?");
        assertThat(cli.run("work", "k1", "--name", "jbo").err()).contains("did you mean job?");
        assertThat(cli.run("work", "--name", "jbo", "--json").out()).isEmpty();
        assertThat(cli.run("work", "--name", "idle").err())
                .as("it has no items yet")
                .isEmpty();
        assertThat(cli.run("work", "--name", "job").err()).isEmpty();
    }
}
