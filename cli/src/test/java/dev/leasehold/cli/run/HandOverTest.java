package dev.leasehold.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.JsonText;
import dev.leasehold.cli.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code run --grant} goes on with a grant, and {@code run --take-over} takes the lease from its holder. */
class HandOverTest {
    @TempDir
    Path scratch;

    private CliRunner cli;

    @BeforeEach
    void setUp() {
        cli = CliRunner.withStore(scratch.resolve("store")).in(scratch);
    }

    private String grant(String... command) {
        return (String) JsonText.object(cli.run(command).out()).get("grant");
    }

    @Test
    void aRunAdoptsTheGrantOfAcquireAndReleasesIt() {
        String grant = grant("acquire", "job", "--holder", "me", "--json");
        Result ran = cli.process(
                "run",
                "--grant",
                grant,
                "--ttl",
                "2s",
                "--",
                "sh",
                "-c",
                "sleep 3; echo $LEASEHOLD_NAME $LEASEHOLD_TOKEN $LEASEHOLD_HOLDER");

        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.outLine()).isEqualTo("job 2 me");
        assertThat(cli.run("status", "job").out()).contains("released");
        assertThat(cli.run("explain", "job").out()).contains("1 ran", "handed over");
    }

    /** Two processes that shared a grant would run at the same time. */
    @Test
    void aGrantIsAdoptedOnce() throws Exception {
        String grant = grant("acquire", "job", "--json");
        Process first = cli.start("run", "--grant", grant, "--", "sh", "-c", "touch in; sleep 60");
        try {
            while (!Files.exists(scratch.resolve("in"))) {
                assertThat(first.isAlive()).isTrue();
                Thread.sleep(20);
            }
            assertThat(cli.process("run", "--grant", grant, "--", "touch", "started")
                            .code())
                    .isEqualTo(ExitCode.NOT_CURRENT);
            assertThat(scratch.resolve("started")).doesNotExist();
            assertThat(cli.run("acquire", "job").code()).isEqualTo(ExitCode.BUSY);
        } finally {
            first.destroy();
            assertThat(first.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aGrantOfAnotherStoreIsRefused() {
        String grant = grant("acquire", "job", "--json");
        CliRunner other = CliRunner.withStore(scratch.resolve("other"));
        Result refused = other.run("run", "--grant", grant, "--", "true");

        assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err()).contains("was granted by store");
    }

    @Test
    void aRunAdoptsTheGrantOfATakeover() {
        cli.run("acquire", "job");
        String grant = grant("takeover", "job", "--reason", "stuck", "--json");

        assertThat(cli.process("run", "job", "--grant", grant, "--", "sh", "-c", "echo $LEASEHOLD_TOKEN")
                        .outLine())
                .isEqualTo("3");
    }

    @Test
    void aGrantThatIsNotCurrentStartsNothing() {
        String grant = grant("acquire", "job", "--json");
        cli.run("cancel", "job", "--reason", "enough");
        Result refused = cli.process("run", "--grant", grant, "--", "touch", "started");

        assertThat(refused.code()).isEqualTo(ExitCode.NOT_CURRENT);
        assertThat(refused.err()).contains("token 1 of job is not current", "not started", "enough");
        assertThat(scratch.resolve("started")).doesNotExist();
        assertThat(cli.run("explain", "job").out()).contains("not_current");
    }

    @Test
    void aTakeOverRunsTheCommandInPlaceOfTheHolder() throws IOException {
        Path page = scratch.resolve("page");
        cli.run("acquire", "job", "--holder", "stuck-one");
        Result ran = cli.process(
                "run",
                "job",
                "--take-over",
                "--reason",
                "stuck since noon",
                "--guard",
                page.toString(),
                "--",
                "sh",
                "-c",
                "echo $LEASEHOLD_TOKEN");

        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.outLine()).isEqualTo("2");
        assertThat(cli.run("history", "job").out()).contains("takeover", "stuck since noon");
        assertThat(cli.stdin("late")
                        .run("write", page.toString(), "--name", "job", "--token", "1")
                        .code())
                .isEqualTo(ExitCode.STALE);
        assertThat(Files.exists(page)).isFalse();
    }

    @Test
    void aTakeOverOfAnotherTokenChangesNothing() {
        cli.run("acquire", "job");
        cli.run("takeover", "job", "--reason", "first");
        Result late = cli.process(
                "run", "job", "--take-over", "--token", "1", "--reason", "second", "--", "touch", "started");

        assertThat(late.code()).isEqualTo(ExitCode.NOT_CURRENT);
        assertThat(late.err()).contains("token 1 of job is not current", "not started", "leasehold status job");
        assertThat(cli.run("check", "job", "--token", "2").code()).isZero();
        assertThat(scratch.resolve("started")).doesNotExist();
    }

    @Test
    void aTakeOverOfAnUnknownNameIsATypingMistake() {
        cli.run("acquire", "nightly");
        Result refused = cli.process("run", "nigthly", "--take-over", "--reason", "r", "--", "true");

        assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err()).contains("did you mean nightly?");
        assertThat(cli.run("status").out()).doesNotContain("nigthly");
    }

    @Test
    void combinationsThatMakeNoSenseAreRefused() {
        String grant = grant("acquire", "job", "--json");
        for (List<String> options : List.of(
                List.of("job", "--take-over"),
                List.of("job", "--reason", "r"),
                List.of("job", "--token", "1"),
                List.of("job", "--take-over", "--reason", "r", "--wait", "1s"),
                List.of("job", "--take-over", "--reason", "r", "--or", "other"),
                List.of("job", "--take-over", "--reason", "r", "--schedule", "@daily"),
                List.of("job", "--take-over", "--reason", "r", "--grant", grant),
                List.of("--grant", grant, "--on-busy", "wait"),
                List.of("--grant", grant, "--holder", "h"),
                List.of("other", "--grant", grant),
                List.of("--grant", "lh1;1;;;job"),
                List.of("--grant", "nonsense"),
                List.<String>of())) {
            String[] words = new String[options.size() + 3];
            words[0] = "run";
            for (int i = 0; i < options.size(); i++) {
                words[i + 1] = options.get(i);
            }
            words[words.length - 2] = "--";
            words[words.length - 1] = "true";
            Result refused = cli.run(words);

            assertThat(refused.code()).as("%s: %s", options, refused.err()).isEqualTo(ExitCode.USAGE);
        }
        assertThat(cli.run("check", "job", "--token", "1").code()).isZero();
    }

    @Test
    void aRunInsideARunCannotTakeItsOuterLease() throws IOException {
        String leasehold = cli.script(scratch).toString();
        Result ran = cli.process(
                "run",
                "job",
                "--",
                "sh",
                "-c",
                "'" + leasehold + "' run --grant \"$LEASEHOLD_GRANT\" -- true; echo $?; '" + leasehold
                        + "' run job --take-over --reason r -- true; echo $?; '" + leasehold
                        + "' check && echo current");

        assertThat(ran.out()).contains("64\n64\n", "current");
    }

    @Test
    void onlyTheHolderReleasesAndOperatorsCancel() {
        cli.run("acquire", "job");
        Result refused = cli.run("release", "job", "--reason", "it hangs");

        assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err()).contains("leasehold cancel NAME --reason S");
        assertThat(cli.run("release", "job").err()).contains("leasehold cancel job --reason S");
        assertThat(cli.run("check", "job", "--token", "1").code()).isZero();
    }

    /** What 'explain' says about a stuck holder can be typed as it is. */
    @Test
    void theCommandsThatExplainPrintsAreComplete() throws Exception {
        cli.run("acquire", "job", "--ttl", "6s");
        cli.run("progress", "job", "--token", "1", "--note", "page 3");
        String said = "";
        for (int i = 0; i < 60 && !said.contains("may be stuck"); i++) {
            Thread.sleep(300);
            cli.run("renew", "job", "--token", "1", "--ttl", "6s");
            said = cli.run("explain", "job").out();
        }
        assertThat(said).contains("may be stuck");
        int from = said.indexOf("'leasehold ") + "'leasehold ".length();
        String[] words = said.substring(from, said.indexOf('\'', from)).split(" ");

        Result followed = cli.run(words);
        assertThat(followed.code()).as(said + followed.err()).isZero();
        assertThat(cli.run("acquire", "job").outLine()).isEqualTo("3");
    }
}
