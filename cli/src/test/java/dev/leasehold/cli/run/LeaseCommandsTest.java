package dev.leasehold.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.JsonText;
import dev.leasehold.cli.command.ExitCode;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Acquire, renew, release, check and progress. */
class LeaseCommandsTest {
    @TempDir
    Path directory;

    private CliRunner cli;

    @BeforeEach
    void useAnEmptyStore() {
        cli = CliRunner.withStore(directory.resolve("store"));
    }

    @Test
    void acquirePrintsTheTokenAndNothingElse() {
        Result result = cli.run("acquire", "job");

        assertThat(result).isEqualTo(new Result(0, "1\n", ""));
    }

    @Test
    void aBusyLeaseNamesItsHolderItsTokenAndTheTimeLeft() {
        cli.run("acquire", "job", "--holder", "night shift", "--ttl", "1h");
        Result busy = cli.run("acquire", "job");

        assertThat(busy.code()).isEqualTo(ExitCode.BUSY);
        assertThat(busy.out()).isEmpty();
        assertThat(busy.err())
                .startsWith("leasehold: job is busy: held by night shift (token 1), 59m")
                .hasLineCount(1);
        assertThat(cli.run("acquire", "job", "--quiet").err()).isEmpty();
        Map<String, Object> json =
                JsonText.object(cli.run("acquire", "job", "--json").out());
        assertThat(json)
                .containsEntry("outcome", "busy")
                .containsEntry("name", "job")
                .containsEntry("token", 1L)
                .containsEntry("holder", "night shift");
        assertThat((Long) json.get("expiresInMs")).isBetween(3_500_000L, 3_600_000L);
    }

    @Test
    void aBusyLeaseIsBusyForItsOwnHolder() {
        cli.run("acquire", "job", "--holder", "me");

        assertThat(cli.run("acquire", "job", "--holder", "me").code()).isEqualTo(ExitCode.BUSY);
    }

    @Test
    void acquireWaitsForABusyLease() {
        cli.run("acquire", "job", "--ttl", "1s");

        assertThat(cli.run("acquire", "job", "--wait", "20s").outLine()).isEqualTo("2");
    }

    @Test
    void acquireAsJsonHoldsTheWholeGrant() {
        Map<String, Object> json = JsonText.object(cli.run("acquire", "job", "--json", "--ttl", "5m", "--holder", "me")
                .out());

        assertThat(json)
                .containsEntry("outcome", "acquired")
                .containsEntry("name", "job")
                .containsEntry("token", 1L)
                .containsEntry("holder", "me")
                .containsEntry("ttlMs", 300_000L)
                .containsKeys("attempt", "store", "expiresInMs", "transfer", "grant");
        assertThat((Map<?, ?>) json.get("transfer")).extracting("reason").isEqualTo("first");
        String grant = json.get("grant").toString();
        assertThat(cli.env("LEASEHOLD_GRANT", grant).run("release").code()).isZero();
    }

    @Test
    void theTokenSurvivesTheRelease() {
        cli.run("acquire", "job");
        assertThat(cli.run("release", "job", "--token", "1").code()).isZero();

        assertThat(cli.run("acquire", "job").outLine()).isEqualTo("2");
    }

    @Test
    void releasingTwiceIsHarmlessAndDistinguished() {
        cli.run("acquire", "job");
        Result first = cli.run("release", "job", "--token", "1");
        Result second = cli.run("release", "job", "--token", "1");

        assertThat(first.err()).isEqualTo("leasehold: job token 1 released\n");
        assertThat(second.err()).isEqualTo("leasehold: job token 1 was already released\n");
        assertThat(second.code()).isZero();
        assertThat(JsonText.object(
                        cli.run("release", "job", "--token", "1", "--json").out()))
                .containsEntry("outcome", "already-released");
    }

    @Test
    void zombieCannotReleaseTheLeaseOfItsSuccessor() {
        cli.run("acquire", "job");
        cli.run("takeover", "job", "--reason", "stuck");
        Result stale = cli.run("release", "job", "--token", "1");

        assertThat(stale.code()).isEqualTo(ExitCode.NOT_CURRENT);
        assertThat(stale.err())
                .startsWith("leasehold: token 1 of job is not current; nothing was released: superseded by token 2");
        assertThat(cli.run("check", "job", "--token", "2").code()).isZero();
    }

    @Test
    void renewMovesTheDeadlineAndAStaleTokenDoesNot() {
        cli.run("acquire", "job", "--ttl", "10s");
        Result renewed = cli.run("renew", "job", "--token", "1", "--ttl", "1h", "--json");
        cli.run("takeover", "job", "--reason", "stuck");
        Result stale = cli.run("renew", "job", "--token", "1", "--json");

        assertThat(JsonText.object(renewed.out()))
                .containsEntry("outcome", "renewed")
                .containsEntry("expiresInMs", 3_600_000L);
        assertThat(stale.code()).isEqualTo(ExitCode.NOT_CURRENT);
        assertThat(JsonText.object(stale.out()))
                .containsEntry("outcome", "superseded")
                .containsKey("by");
    }

    @Test
    void renewAfterTheDeadlineIsReported() throws InterruptedException {
        cli.run("acquire", "job", "--ttl", "1s");
        Thread.sleep(1100);
        Result late = cli.run("renew", "job", "--token", "1");

        assertThat(late.code()).isEqualTo(ExitCode.NOT_CURRENT);
        assertThat(late.err()).contains("expired");
    }

    @Test
    void checkSaysThatItIsBestEffort() {
        cli.run("acquire", "job");

        assertThat(cli.run("check", "job", "--token", "1").out())
                .isEqualTo(
                        "job token 1 is current (best effort: the lease may be lost between this answer and your next action)\n");
        assertThat(JsonText.object(
                        cli.run("check", "job", "--token", "1", "--json").out()))
                .containsEntry("outcome", "current")
                .containsEntry("guarantee", "best-effort");
        assertThat(cli.run("check", "job", "--token", "1", "--quiet").out()).isEmpty();
        assertThat(cli.run("check", "job", "--token", "9").code()).isEqualTo(ExitCode.NOT_CURRENT);
        assertThat(cli.run("check", "never", "--token", "1").code()).isEqualTo(ExitCode.NOT_CURRENT);
    }

    @Test
    void progressIsRecordedForTheCurrentTokenOnly() {
        cli.run("acquire", "job");
        Result noted = cli.run("progress", "job", "--token", "1", "--note", "page 3", "--checkpoint", "p3");
        Result again = cli.run("progress", "job", "--token", "1");
        String status = cli.run("status", "job").out();
        cli.run("cancel", "job", "--reason", "enough");
        Result stale = cli.run("progress", "job", "--token", "1", "--note", "page 4");

        assertThat(noted).isEqualTo(new Result(0, "", ""));
        assertThat(again.code()).isZero();
        assertThat(status).contains("page 3");
        assertThat(stale.code()).isEqualTo(ExitCode.NOT_CURRENT);
        assertThat(stale.err()).contains("nothing was recorded", "cancelled", "enough");
    }
}
