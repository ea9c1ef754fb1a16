package dev.leasehold.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.JsonText;
import dev.leasehold.cli.command.ExitCode;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code acquire} and {@code release} with {@code --as} and {@code --path}. */
class OwnedLeasesTest {
    @TempDir
    Path directory;

    private CliRunner cli;

    @BeforeEach
    void useAnEmptyStore() {
        cli = CliRunner.withStore(directory.resolve("store"));
    }

    @Test
    void theSameOwnerAcquiresAgainWithTheSameToken() {
        assertThat(cli.run("acquire", "job", "--as", "session-1").outLine()).isEqualTo("1");
        assertThat(cli.run("acquire", "job", "--as", "session-1").outLine()).isEqualTo("1");
        assertThat(JsonText.object(
                        cli.run("acquire", "job", "--as", "session-1", "--json").out()))
                .containsEntry("outcome", "renewed")
                .containsEntry("token", 1L);

        Result busy = cli.run("acquire", "job", "--as", "session-2", "--json");
        assertThat(busy.code()).isEqualTo(ExitCode.BUSY);
        assertThat(JsonText.object(busy.out())).containsEntry("outcome", "busy").containsKey("acquiredAt");
        assertThat(cli.run("acquire", "job", "--json").out()).contains("\"acquiredAt\":\"");
        assertThat(cli.run("release", "job", "--as", "session-2").code()).isEqualTo(ExitCode.NOT_CURRENT);
        assertThat(cli.run("release", "job", "--as", "session-1").code()).isZero();
        assertThat(cli.run("acquire", "job", "--as", "session-2").outLine()).isEqualTo("2");
    }

    @Test
    void aTakeoverEndsTheOwnership() {
        cli.run("acquire", "job", "--as", "session-1");
        cli.run("takeover", "job", "--reason", "reassigned");

        Result busy = cli.run("acquire", "job", "--as", "session-1");
        assertThat(busy.code()).isEqualTo(ExitCode.BUSY);
        assertThat(busy.err()).contains("takeover: reassigned");
    }

    @Test
    void severalFilesAreAcquiredTogetherOrNotAtAll() {
        Path a = directory.resolve("a b.txt");
        Path b = directory.resolve("b.txt");
        cli.run("acquire", "--path", b.toString(), "--as", "session-1");

        Result busy = cli.run("acquire", "--path", a.toString(), "--path", b.toString(), "--as", "session-2");
        assertThat(busy.code()).isEqualTo(ExitCode.BUSY);
        assertThat(busy.err()).contains("nothing was acquired");
        assertThat(cli.run("acquire", "--path", a.toString(), "--as", "session-3")
                        .code())
                .isZero();
        assertThat(cli.run("release", "--as", "session-3").code()).isZero();
        assertThat(cli.run("release", "--as", "session-1").code()).isZero();
        assertThat(cli.run("acquire", "--path", a.toString(), "--path", b.toString(), "--as", "session-2")
                        .out())
                .hasLineCount(2)
                .contains("/b.txt");
    }

    @Test
    void mistakesAreUsageErrors() {
        assertThat(cli.run("acquire").err()).contains("NAME is missing");
        assertThat(cli.run("acquire", "--as", "session-1").code()).isEqualTo(ExitCode.USAGE);
        assertThat(cli.run("acquire", "job", "--as", "short").err()).contains("8 to 1000 characters");
        assertThat(cli.run("acquire", "--path", "~/x").code()).isEqualTo(ExitCode.USAGE);
        assertThat(cli.run("release", "--path", "x").err()).contains("--as ID");
        assertThat(cli.run("release", "job", "--as", "session-1", "--token", "1")
                        .code())
                .isEqualTo(ExitCode.USAGE);
    }
}
