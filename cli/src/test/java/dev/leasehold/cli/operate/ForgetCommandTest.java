package dev.leasehold.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.JsonText;
import dev.leasehold.cli.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mistyped name stays unknown, and no token of a name that nobody needs any more is issued again. */
class ForgetCommandTest {
    @TempDir
    Path directory;

    private CliRunner cli;

    @BeforeEach
    void useAStoreWithOneName() {
        cli = CliRunner.withStore(directory.resolve("store"));
        cli.run("acquire", "nightly");
        cli.run("release", "nightly", "--token", "1");
    }

    @Test
    void aMistypedNameIsNeitherTakenOverNorCancelled() {
        for (String command : List.of("takeover", "cancel")) {
            Result refused = cli.run(command, "nigthly", "--reason", "stuck");

            assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
            assertThat(refused.out()).isEmpty();
            assertThat(refused.err()).contains("nigthly", "nothing was changed", "did you mean nightly?");
        }
        assertThat(cli.run("status").out()).contains("nightly").doesNotContain("nigthly");
        assertThat(cli.run("status", "nigthly").out()).contains("never held");
    }

    @Test
    void aLostCounterCanStillBeRepaired() {
        assertThat(cli.run("repair", "lost", "--above", "7", "--reason", "the record was lost")
                        .code())
                .isZero();
        assertThat(cli.run("acquire", "lost").outLine()).isEqualTo("9");
    }

    @Test
    void aRepairSaysThatItCreatesANameAndNamesTheNearest() {
        Result typo = cli.run("repair", "nigthly", "--above", "7", "--reason", "r");
        Result lost = cli.run("repair", "quite-another", "--above", "7", "--reason", "r");

        assertThat(typo.code()).isZero();
        assertThat(typo.err()).contains("nigthly was not known in this store and was created; did you mean nightly?");
        assertThat(lost.err()).contains("quite-another was not known in this store and was created");
        assertThat(cli.run("repair", "nightly", "--above", "7", "--reason", "r").err())
                .doesNotContain("created");
    }

    @Test
    void aForgottenNameIsNotListedAndKeepsItsCounter() {
        Result forgotten = cli.run("forget", "nightly", "--reason", "replaced by hourly", "--holder", "ops");

        assertThat(forgotten.code()).isZero();
        assertThat(forgotten.err()).contains("nightly is forgotten", "token was 1");
        assertThat(cli.run("status").out()).doesNotContain("nightly");
        Result one = cli.run("status", "nightly");
        assertThat(one.err() + one.out()).contains("forgotten", "by ops", "replaced by hourly", "token is 1");
        assertThat(JsonText.object(cli.run("status", "nightly", "--json").out()))
                .containsEntry("state", "forgotten")
                .containsEntry("token", 1L);
        assertThat(cli.run("explain", "nightly").out()).contains("forgotten", "by ops");
        for (String command : List.of("cancel", "takeover")) {
            assertThat(cli.run(command, "nightly", "--reason", "r").err())
                    .contains("was forgotten", "Nothing was changed", "nobody holds it", "'leasehold acquire nightly'");
        }

        assertThat(cli.run("acquire", "nightly").outLine()).isEqualTo("2");
        assertThat(cli.run("status").out()).contains("nightly");
        assertThat(cli.run("explain", "nightly").out()).doesNotContain("forgotten");
    }

    @Test
    void aNameIsForgottenAgainAfterItCameBack() {
        cli.run("forget", "nightly", "--reason", "first");
        cli.run("acquire", "nightly");
        cli.run("release", "nightly", "--token", "2");

        assertThat(cli.run("forget", "nightly", "--reason", "second").code()).isZero();
        assertThat(cli.run("status").out()).doesNotContain("nightly");
        assertThat(cli.run("forget", "nightly", "--reason", "third").err()).contains("was forgotten");
    }

    @Test
    void oldNamesWithoutTargetsAreForgottenTogether() throws IOException {
        for (String name : List.of("day/1", "day/2", "day/held", "day/guarded")) {
            cli.run("acquire", name, "--holder", "once");
        }
        cli.run("write", directory.resolve("report").toString(), "--name", "day/guarded", "--token", "1");
        cli.run("raise", directory.resolve("report").toString(), "--name", "day/guarded", "--token", "1");
        for (String name : List.of("day/1", "day/2", "day/guarded")) {
            cli.run("release", name, "--token", "1");
        }
        assertThat(cli.run("forget", "--older-than", "1h", "--prefix", "day/").out())
                .isEmpty();
        Result shown = cli.run("forget", "--older-than", "0s", "--prefix", "day/", "--dry-run");
        assertThat(shown.out().lines()).containsExactly("day/1", "day/2");
        assertThat(shown.err()).contains("2 names would be forgotten", "nothing was changed");
        assertThat(cli.run("status", "day/1").out()).contains("released");

        Result forgotten = cli.run("forget", "--older-than", "0s", "--prefix", "day/");
        assertThat(forgotten.code()).isZero();
        assertThat(forgotten.out().lines()).containsExactly("day/1", "day/2");
        assertThat(cli.run("status", "--prefix", "day/").out())
                .contains("day/held", "day/guarded")
                .doesNotContain("day/1", "day/2", "nightly");
        assertThat(cli.run("acquire", "day/1").outLine()).isEqualTo("2");
        assertThat(cli.run("status", "--prefix", "other/").out()).contains("no lease starts with other/");
    }

    @Test
    void aNameAndAnAgeExcludeEachOther() {
        for (List<String> mistake : List.of(
                List.of("forget"),
                List.of("forget", "nightly", "--older-than", "1d"),
                List.of("forget", "nightly", "--reason", "r", "--dry-run"),
                List.of("forget", "--older-than", "1d", "--keep-targets"),
                List.of("status", "nightly", "--prefix", "n"))) {
            assertThat(cli.run(mistake.toArray(String[]::new)).code())
                    .as(mistake.toString())
                    .isEqualTo(ExitCode.USAGE);
        }
        assertThat(cli.run("status").out()).contains("nightly");
    }

    @Test
    void onlyAFreeNameIsForgotten() {
        cli.run("acquire", "nightly", "--holder", "busy-one");
        Result held = cli.run("forget", "nightly", "--reason", "r");

        assertThat(held.code()).isEqualTo(ExitCode.BUSY);
        assertThat(held.err()).contains("busy-one", "nothing was changed", "leasehold cancel nightly");
        assertThat(cli.run("status").out()).contains("nightly");

        cli.process("run", "resting", "--min-hold", "1h", "--", "true");
        assertThat(cli.run("forget", "resting", "--reason", "r").code()).isEqualTo(ExitCode.BUSY);
    }

    @Test
    void aNameThatNeverWasCannotBeForgotten() {
        Result refused = cli.run("forget", "nightlyy", "--reason", "r");

        assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err()).contains("did you mean nightly?");
        assertThat(cli.run("forget", "nightly").code()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void theRunsOfAForgottenNameAreForgottenToo() {
        cli.process("run", "nightly", "--", "true");
        assertThat(cli.run("explain", "nightly").out()).contains("1 ran");
        cli.run("forget", "nightly", "--reason", "r");

        assertThat(cli.run("explain", "nightly").out()).doesNotContain("1 ran");
    }

    @Test
    void aDamagedLogOfRunsStaysAndTheNameIsForgotten() throws IOException {
        cli.process("run", "nightly", "--", "true");
        Path log = directory.resolve("store/register/n-runs%2fnightly");
        Files.writeString(log, "damaged");
        Result forgotten = cli.run("forget", "nightly", "--reason", "r");

        assertThat(forgotten.code()).as(forgotten.err()).isZero();
        assertThat(forgotten.err()).contains("the log of its runs stays", log.toString(), "nightly is forgotten");
        assertThat(log).hasContent("damaged");
        assertThat(cli.run("status").out()).doesNotContain("nightly");
    }

    @Test
    void aForgottenJobIsNoLongerDue() {
        cli.withDrivers().process("run", "tick", "--schedule", "* * * * * *", "--", "true");
        assertThat(cli.run("due").out()).contains("tick");
        assertThat(cli.run("pause", "tock", "--reason", "r").err()).contains("did you mean tick?");

        assertThat(cli.run("forget", "tick", "--reason", "r").code()).isZero();
        assertThat(cli.run("due").out()).doesNotContain("tick");
    }
}
