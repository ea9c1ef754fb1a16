package dev.leasehold.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.JsonText;
import dev.leasehold.cli.command.ExitCode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Takeover, cancel and repair: they only raise tokens, and they report the targets that were not
 * raised.
 */
class OperatorCommandsTest {
    private static final String NOT_RAISED = "targets not raised; the old holder can still write there";

    @TempDir
    Path directory;

    private CliRunner cli;
    private Path file;

    @BeforeEach
    void useAnEmptyStore() {
        cli = CliRunner.withStore(directory.resolve("store"));
        file = directory.resolve("page.html");
    }

    private int write(String token) {
        return cli.stdin(token)
                .run("write", file.toString(), "--name", "job", "--token", token)
                .code();
    }

    @Test
    void takeoverPrintsTheNewTokenAndReportsTargetsThatWereNotRaised() {
        cli.run("acquire", "job", "--holder", "sleepy");
        Result taken = cli.run("takeover", "job", "--reason", "stuck since noon", "--holder", "ops", "--ttl", "1h");

        assertThat(taken.code()).isZero();
        assertThat(taken.out()).isEqualTo("2\n");
        assertThat(taken.err()).contains("token 1 of sleepy", NOT_RAISED);
        assertThat(cli.run("status", "job").out()).contains("held", "ops", "59m");
        assertThat(cli.run("history", "job").out()).contains("takeover", "stuck since noon");
    }

    @Test
    void withAGuardTheOldHolderIsRefusedAtOnce() {
        cli.run("acquire", "job");
        assertThat(write("1")).isZero();
        Result taken = cli.run("takeover", "job", "--reason", "stuck", "--guard", file.toString());

        assertThat(taken.err()).contains(file + " raised to job token 2").doesNotContain(NOT_RAISED);
        assertThat(write("1")).isEqualTo(ExitCode.STALE);
        assertThat(file).hasContent("1");
        assertThat(write("2")).isZero();
    }

    @Test
    void anActionForAnOldTokenChangesNothing() {
        cli.run("acquire", "job", "--holder", "sleepy");
        cli.run("cancel", "job", "--reason", "stuck", "--token", "1");
        cli.run("acquire", "job", "--holder", "healthy");

        for (String command : List.of("takeover", "cancel")) {
            Result late = cli.run(command, "job", "--reason", "stuck", "--token", "1", "--guard", file.toString());

            assertThat(late.code()).isEqualTo(ExitCode.NOT_CURRENT);
            assertThat(late.out()).isEmpty();
            assertThat(late.err())
                    .contains("token 1 of job is not current; nothing was changed")
                    .contains("the current token is 3, of healthy", "leasehold status job");
        }
        assertThat(cli.run("status", "job").out()).contains("held", "healthy");
        assertThat(cli.run("history", "job").out().lines().filter(line -> line.contains("takeover")))
                .isEmpty();
        assertThat(cli.run("takeover", "job", "--reason", "stuck", "--token", "3")
                        .outLine())
                .isEqualTo("4");
        assertThat(cli.run("takeover", "new", "--reason", "stuck", "--token", "1")
                        .err())
                .contains("the store has no such lease");
    }

    @Test
    void repairHasNoTokenOption() {
        assertThat(cli.run("repair", "job", "--above", "5", "--reason", "r", "--token", "1")
                        .code())
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void cancelLeavesTheNameFree() {
        cli.run("acquire", "job");
        Result cancelled = cli.run("cancel", "job", "--reason", "wrong input");

        assertThat(cancelled.code()).isZero();
        assertThat(cancelled.out()).isEmpty();
        assertThat(cancelled.err()).contains("cancelled, the token is 2 now", NOT_RAISED);
        assertThat(cli.run("acquire", "job").outLine()).isEqualTo("3");
        assertThat(cli.run("explain", "job").out()).contains("wrong input");
    }

    @Test
    void repairRaisesAndNeverLowers() {
        cli.run("acquire", "job");
        Map<String, Object> json = JsonText.object(
                cli.run("repair", "job", "--above", "57", "--reason", "restored", "--json", "--guard", file.toString())
                        .out());

        assertThat(json)
                .containsEntry("outcome", "recovered")
                .containsEntry("token", 58L)
                .containsEntry("targetsRaised", List.of(file.toString()));
        cli.run("repair", "job", "--above", "3", "--reason", "again");
        assertThat(cli.run("acquire", "job").outLine()).isEqualTo("60");
        assertThat(write("57")).isEqualTo(ExitCode.STALE);
    }

    @Test
    void guardsAreParsedBeforeAnythingChanges() {
        cli.run("acquire", "job");
        Result refused = cli.run("takeover", "job", "--reason", "r", "--guard", "");

        assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
        assertThat(cli.run("check", "job", "--token", "1").code()).isZero();
    }

    @Test
    void aGuardThatCannotBeRaisedIsReportedAndTheOthersAreRaised() {
        cli.run("acquire", "job");
        String missing = "file:" + directory.resolve("no/such/page");
        Result taken = cli.run("takeover", "job", "--reason", "r", "--guard", missing, "--guard", file.toString());

        assertThat(taken.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(taken.out()).isEqualTo("2\n");
        assertThat(taken.err()).contains("not raised: the directory", file + " raised to job token 2");
    }

    @Test
    void aGuardThatIsAheadOrOfAnotherLeaseIsReported() {
        cli.stdin("x").run("write", file.toString(), "--name", "job", "--token", "9");
        cli.run("repair", "other", "--above", "1", "--reason", "make it known");
        cli.run("acquire", "job");
        Result behind = cli.run("cancel", "job", "--reason", "r", "--guard", file.toString());
        Result other = cli.run("cancel", "other", "--reason", "r", "--guard", file.toString());

        assertThat(behind.code()).isEqualTo(ExitCode.STALE);
        assertThat(behind.err()).contains("not raised: token 2 of job is stale: the target has seen token 9");
        assertThat(other.code()).isEqualTo(ExitCode.USAGE);
        assertThat(other.err()).contains("guarded by lease job");
    }

    @Test
    void aReasonIsRequired() {
        for (String command : new String[] {"takeover", "cancel", "repair"}) {
            Result result =
                    command.equals("repair") ? cli.run(command, "job", "--above", "1") : cli.run(command, "job");

            assertThat(result.code()).isEqualTo(ExitCode.USAGE);
            assertThat(result.err()).contains("--reason S is missing").hasLineCount(1);
        }
        assertThat(cli.run("cancel", "job", "--reason", "").code()).isEqualTo(ExitCode.USAGE);
        assertThat(cli.run("status").out()).isEqualTo("no leases yet\n");
    }
}
