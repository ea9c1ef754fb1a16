package dev.leasehold.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.JsonText;
import dev.leasehold.cli.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The store was lost and created again. Targets are bound to the old one, which is not a usage
 * error.
 */
class LostStoreTest {
    @TempDir
    Path directory;

    private CliRunner cli;
    private Path store;
    private Path file;
    private String oldGrant;

    @BeforeEach
    void guardAFileAndLoseTheStore() throws IOException {
        store = directory.resolve("store");
        file = directory.resolve("page.html");
        cli = CliRunner.withStore(store);
        assertThat(run("job", "true").code()).isZero();
        oldGrant = String.valueOf(
                JsonText.object(cli.run("acquire", "job", "--json").out()).get("grant"));
        assertThat(cli.env("LEASEHOLD_GRANT", oldGrant)
                        .run("raise", file.toString())
                        .code())
                .isZero();
        cli.without("LEASEHOLD_GRANT");
        try (Stream<Path> all = Files.walk(store)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
        assertThat(cli.run("store", "init").code()).isZero();
    }

    /** The command that a refusal names, with a reason. */
    private static String[] remedyIn(Result refused) {
        Matcher quoted = Pattern.compile("'leasehold (fence rebind \\S+) --reason \\.\\.\\.'")
                .matcher(refused.err());
        assertThat(quoted.find()).as(refused.err()).isTrue();
        return (quoted.group(1) + " --reason lost").split(" ", -1);
    }

    private Result run(String name, String script) {
        return cli.run("run", name, "--guard", file.toString(), "--", "sh", "-c", script);
    }

    @Test
    void runIsRefusedWithARemedy() {
        Result refused = run("job", "echo ran");
        assertThat(refused.out()).isEmpty();
        assertRefused(refused);
    }

    @Test
    void writeUnderAGrantOfTheNewStoreIsRefusedWithARemedy() {
        String grant = String.valueOf(
                JsonText.object(cli.run("acquire", "job", "--json").out()).get("grant"));
        Result refused = cli.env("LEASEHOLD_GRANT", grant).stdin("new").run("write", file.toString());
        assertRefused(refused);
        assertThat(file).doesNotExist();
    }

    /** Repair raises the token of the new store, which does not help here. */
    @Test
    void repairSaysThatTheTargetStaysBoundToTheOldStore() {
        assertRefused(cli.run("repair", "job", "--above", "57", "--reason", "lost", "--guard", file.toString()));
        assertRefused(run("job", "echo ran"));
    }

    @Test
    void theRemedyWorksAndAnOldGrantStaysRefused() {
        Result refused = run("job", "echo ran");
        Result rebound = cli.run(remedyIn(refused));
        assertThat(rebound.code()).as(rebound.err()).isZero();
        assertThat(run("job", "exit 3").code()).isEqualTo(3);

        Result old = cli.env("LEASEHOLD_GRANT", oldGrant).stdin("old").run("write", file.toString());
        assertThat(old.code()).isEqualTo(ExitCode.UNAVAILABLE);
        cli.without("LEASEHOLD_GRANT");
        Result bare = cli.stdin("old").run("write", file.toString(), "--name", "job", "--token", "2", "--no-check");
        assertThat(bare.code()).isEqualTo(ExitCode.STALE);
        assertThat(file).doesNotExist();
    }

    @Test
    void theRemedyThatRepairNamesWorks() {
        Result repair = cli.run("repair", "job", "--above", "57", "--reason", "lost", "--guard", file.toString());
        assertThat(cli.run(remedyIn(repair)).code()).isZero();
        assertThat(run("job", "exit $LEASEHOLD_TOKEN").code()).isEqualTo(60);
    }

    @Test
    void anotherLeaseNameIsStillAUsageError() {
        Result refused = run("other", "echo ran");
        assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err()).contains("is guarded by lease job, not by other");
    }

    private static void assertRefused(Result refused) {
        assertThat(refused.code()).as(refused.err()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(refused.err())
                .contains("is bound to store", "nothing was written", "restore it", "leasehold fence rebind")
                .contains("its writers that still run are then refused only by their lower tokens")
                .doesNotContain("by hand");
        assertThat(List.of(refused.err().split("\n", -1))).noneMatch(line -> line.contains("leasehold repair"));
    }
}
