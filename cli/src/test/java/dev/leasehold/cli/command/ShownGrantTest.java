package dev.leasehold.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.JsonText;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sources of the lease name and token of a command. */
class ShownGrantTest {
    @TempDir
    Path directory;

    private CliRunner cli;
    private String grant;

    @BeforeEach
    void acquire() {
        cli = CliRunner.withStore(directory.resolve("store"));
        Map<String, Object> json =
                JsonText.object(cli.run("acquire", "job", "--json").out());
        grant = json.get("grant").toString();
    }

    @Test
    void withoutATokenNothingIsLookedUp() {
        Result result = cli.run("release", "job");

        assertThat(result.code()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err())
                .contains("no token for job", "never looked up in the store")
                .hasLineCount(1);
        assertThat(cli.run("release").err()).contains("no lease name");
        assertThat(cli.run("check", "job", "--token", "1").code()).isZero();
    }

    @Test
    void nameAndTokenComeFromTheEnvironment() {
        cli.env("LEASEHOLD_NAME", "job").env("LEASEHOLD_TOKEN", "1");

        assertThat(cli.run("check").code()).isZero();
        assertThat(cli.run("progress", "--note", "x").code()).isZero();
        assertThat(cli.run("renew").code()).isZero();
        assertThat(cli.run("check", "--token", "2").code()).isEqualTo(ExitCode.NOT_CURRENT);
    }

    @Test
    void theGrantAloneIsEnough() {
        assertThat(cli.env("LEASEHOLD_GRANT", grant).run("check").code()).isZero();
    }

    @Test
    void anEmptyVariableCountsAsNotSet() {
        cli.env("LEASEHOLD_NAME", "").env("LEASEHOLD_TOKEN", "").env("LEASEHOLD_GRANT", grant);

        assertThat(cli.run("check").code()).isZero();
    }

    @Test
    void theTokenOfAnotherLeaseIsNotUsed() {
        cli.run("acquire", "other");
        cli.env("LEASEHOLD_NAME", "job").env("LEASEHOLD_TOKEN", "1").env("LEASEHOLD_GRANT", grant);
        Result result = cli.run("release", "other");

        assertThat(result.code()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains("no token for other");
    }

    @Test
    void aTokenWithoutANameIsUsedForTheGivenName() {
        assertThat(cli.env("LEASEHOLD_TOKEN", "1").run("check", "job").code()).isZero();
    }

    @Test
    void contradictoryVariablesAreRefused() {
        cli.env("LEASEHOLD_GRANT", grant);

        assertThat(cli.env("LEASEHOLD_NAME", "other").run("check").code()).isEqualTo(ExitCode.USAGE);
        assertThat(cli.without("LEASEHOLD_NAME")
                        .env("LEASEHOLD_TOKEN", "2")
                        .run("check")
                        .err())
                .contains("LEASEHOLD_TOKEN and LEASEHOLD_GRANT")
                .hasLineCount(1);
        assertThat(cli.env("LEASEHOLD_GRANT", "lh9;x").run("check").err()).contains("LEASEHOLD_GRANT 'lh9;x'");
        assertThat(cli.env("LEASEHOLD_GRANT", "")
                        .env("LEASEHOLD_TOKEN", "0")
                        .run("check", "job")
                        .code())
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void theWholeGrantIsCheckedIfNameAndTokenMatch() {
        // Only a complete grant shows that the store knows this token from another attempt.
        String forged = grant.replaceFirst(";1;[a-z0-9]+;", ";1;another-attempt;");
        cli.env("LEASEHOLD_GRANT", forged);

        assertThat(cli.run("check").err()).contains("from another attempt");
        assertThat(cli.run("check", "job", "--token", "1").code()).isEqualTo(ExitCode.NOT_CURRENT);
        assertThat(cli.without("LEASEHOLD_GRANT")
                        .run("check", "job", "--token", "1")
                        .code())
                .isZero();
    }
}
