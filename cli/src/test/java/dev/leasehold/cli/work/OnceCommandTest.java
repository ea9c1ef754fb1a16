package dev.leasehold.cli.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.command.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that must not be repeated. */
class OnceCommandTest {
    @TempDir
    Path directory;

    private CliRunner cli;
    private Path outbox;
    private String token;

    @BeforeEach
    void holdALease() {
        cli = CliRunner.withStore(directory.resolve("store")).env("PATH", System.getenv("PATH"));
        outbox = directory.resolve("outbox");
        token = cli.run("acquire", "billing", "--ttl", "1h").outLine();
    }

    private Result once(String id, String script, String... options) {
        String[] all = new String[options.length + 9];
        String[] head = {"once", id, "--name", "billing"};
        System.arraycopy(head, 0, all, 0, 4);
        System.arraycopy(options, 0, all, 4, options.length);
        String[] tail = {"--token=" + token, "--", "sh", "-c", script};
        System.arraycopy(tail, 0, all, 4 + options.length, 5);
        return cli.process(all);
    }

    private String mail() {
        return "echo $LEASEHOLD_OPERATION_ID >> " + outbox;
    }

    private Result settle(String id, String how) {
        return cli.run("settle", id, "--name", "billing", how, "--reason", "asked the target");
    }

    @Test
    void aCommandThatSucceededIsNotRunAgain() throws Exception {
        assertThat(once("mail-7", mail()).code()).isZero();
        Result again = once("mail-7", mail());
        assertThat(again.code()).isZero();
        assertThat(again.err()).contains("was made before, under token 1");
        assertThat(Files.readAllLines(outbox)).containsExactly("mail-7");
    }

    @Test
    void aCommandThatFailedIsNotRepeatedUntilSomebodyHasAsked() throws Exception {
        Result failed = once("mail-7", mail() + "; exit 3");
        assertThat(failed.code()).isEqualTo(3);
        assertThat(failed.err()).contains("unknown", "leasehold settle mail-7 --name billing");
        assertThat(once("mail-7", mail()).code()).isEqualTo(ExitCode.UNKNOWN);
        assertThat(settle("mail-7", "--not-made").code()).isEqualTo(ExitCode.BUSY);
        cli.run("release", "billing", "--token", token);
        assertThat(settle("mail-7", "--not-made").code()).isZero();
        token = cli.run("acquire", "billing", "--ttl", "1h").outLine();
        assertThat(once("mail-7", mail()).code()).isZero();
        assertThat(Files.readAllLines(outbox)).hasSize(2);
    }

    @Test
    void whatAPersonSettledAsMadeIsNeverMade() {
        once("mail-7", "exit 1");
        cli.run("release", "billing", "--token", token);
        assertThat(settle("mail-7", "--made").code()).isZero();
        assertThat(settle("mail-7", "--not-made").err()).contains("stays so");
        token = cli.run("acquire", "billing", "--ttl", "1h").outLine();
        assertThat(once("mail-7", mail()).code()).isZero();
        assertThat(outbox).doesNotExist();
    }

    @Test
    void aCommandThatCertainlyDidNothingMayRunAgain() throws Exception {
        assertThat(once("mail-7", "exit 9", "--not-made-exit", "9").code()).isEqualTo(9);
        assertThat(once("mail-7", mail()).code()).isZero();
        assertThat(Files.readAllLines(outbox)).hasSize(1);
    }

    @Test
    void aStaleTokenBeginsNothing() {
        cli.run("takeover", "billing", "--reason", "it hangs");
        assertThat(once("mail-7", mail()).code()).isEqualTo(ExitCode.STALE);
        assertThat(outbox).doesNotExist();
    }

    /** Power cut, or kill -9. */
    @Test
    void aProcessThatDiedLeavesTheOutcomeUnknown() throws Exception {
        Process process = cli.start(
                "once", "mail-7", "--name", "billing", "--token", token, "--", "sh", "-c", mail() + "; sleep 60");
        for (int i = 0; i < 600 && !Files.exists(outbox); i++) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
        process.destroyForcibly().waitFor();
        assertThat(once("mail-7", mail()).code()).isEqualTo(ExitCode.UNKNOWN);
        assertThat(Files.readAllLines(outbox)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "once mail-7 -- true",
                "once bad/id --name billing --token 1 -- true",
                "once mail-7 --name billing --token 1 --json -- true",
                "once mail-7 --name billing --token 1 --not-made-exit 0 -- true",
                "settle mail-7 --name billing --reason r",
                "settle mail-7 --name billing --reason r --made --not-made",
                "settle mail-7 --reason r --made",
                "settle unknown-id --name billing --reason r --made"
            })
    void mistakesAreUsageErrors(String command) {
        Result refused = cli.run(command.split(" "));
        assertThat(refused.code()).as(command + refused.err()).isEqualTo(ExitCode.USAGE);
    }
}
