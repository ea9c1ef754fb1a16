package dev.leasehold.cli.targets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.JsonText;
import dev.leasehold.cli.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code fence show} only reads, and {@code fence rebind} only raises. */
class FenceCommandTest {
    @TempDir
    Path directory;

    private CliRunner cli;
    private Path file;

    @BeforeEach
    void useAnEmptyStore() {
        cli = CliRunner.withStore(directory.resolve("store"));
        file = directory.resolve("page.html");
    }

    /** Another store with the same lease. */
    private CliRunner elsewhere() {
        return CliRunner.withStore(directory.resolve("elsewhere"));
    }

    private String grant() {
        return String.valueOf(
                JsonText.object(cli.run("acquire", "job", "--json").out()).get("grant"));
    }

    private Result with(String grant, String... command) {
        Result result = cli.env("LEASEHOLD_GRANT", grant).stdin("text\n").run(command);
        cli.without("LEASEHOLD_GRANT");
        return result;
    }

    private Path fence() {
        return directory.resolve(".page.html.leasehold-fence");
    }

    private Map<String, Object> shown(CliRunner runner, String... more) {
        List<String> line = new ArrayList<>(List.of("fence", "show", file.toString(), "--json"));
        line.addAll(List.of(more));
        Result result = runner.run(line.toArray(String[]::new));
        assertThat(result.code()).as(result.err()).isZero();
        return JsonText.object(result.out());
    }

    @Test
    void aTargetWithoutAFenceIsReportedAndNotCreated() throws IOException {
        Result show = cli.run("fence", "show", file.toString());
        assertThat(show.code()).as(show.err()).isZero();
        assertThat(show.out()).isEqualTo(file + " has no fence\n");
        assertThat(cli.run("fence", "show", file.toString(), "--json").out()).contains("\"fenced\":false");
        Result rebind = cli.run("fence", "rebind", file.toString(), "--reason", "lost");
        assertThat(rebind.code()).isEqualTo(ExitCode.USAGE);
        assertThat(rebind.err()).contains("has no fence");
        assertThat(fence()).doesNotExist();
        assertThat(file).doesNotExist();
        assertThat(cli.run("status").out()).isEqualTo("no leases yet\n");
    }

    @Test
    void showsWhatTheFenceRemembersAndWhatTheStoreSays() throws IOException {
        assertThat(with(grant(), "write", file.toString(), "--once").code()).isZero();
        byte[] before = Files.readAllBytes(fence());
        assertThat(shown(cli))
                .containsEntry("fenced", true)
                .containsEntry("name", "job")
                .containsEntry("token", 1L)
                .containsEntry("once", 1L)
                .containsEntry("kind", "file")
                .containsEntry("pending", false)
                .containsEntry("halfWritten", false)
                .containsEntry("changedOutside", 0L)
                .containsEntry("sameStore", true)
                .containsEntry("storeToken", 1L)
                .containsKeys("store", "attempt", "changedAt", "holder");
        Result show = cli.run("fence", "show", file.toString());
        assertThat(show.out())
                .contains("lease: job", "token: 1", "kind: a file that is replaced whole", "one-time write: token 1")
                .contains("this store: the same, its current token is 1")
                .containsPattern("last writer: \\S+-\\d+-\\S+, which got the token at ");
        assertThat(Files.readAllBytes(fence())).isEqualTo(before);
    }

    @Test
    void showsEveryKindOfTarget() throws IOException {
        String grant = grant();
        Path tree = Files.createDirectory(directory.resolve("tree"));
        Path site = directory.resolve("site");
        Path log = directory.resolve("log");
        with(grant, "publish", tree.toString(), site.toString());
        with(grant, "append", log.toString());
        with(grant, "raise", file.toString());
        assertThat(cli.run("fence", "show", site.toString()).out()).contains("kind: a published directory");
        assertThat(cli.run("fence", "show", log.toString()).out()).contains("kind: a log", "pending: no");
        assertThat(cli.run("fence", "show", file.toString()).out()).contains("kind: not decided");
    }

    @Test
    void countsChangesOutsideWithoutTakingNotice() throws IOException {
        String grant = grant();
        with(grant, "write", file.toString());
        Files.writeString(file, "foreign");
        with(grant, "raise", file.toString());
        assertThat(shown(cli)).containsEntry("changedOutside", 1L);
        Files.writeString(file, "foreign again");
        assertThat(cli.run("fence", "show", file.toString()).out()).contains("and it is changed now");
        assertThat(shown(cli)).containsEntry("changedOutside", 1L).containsEntry("changedNow", true);
    }

    @Test
    void showNeedsNoStoreAndNoPermissionToWrite() throws IOException {
        with(grant(), "write", file.toString());
        CliRunner without = CliRunner.withMissingStore(directory.resolve("gone"));
        Files.setPosixFilePermissions(fence(), PosixFilePermissions.fromString("r--r--r--"));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("r-xr-xr-x"));
        try {
            assertThat(shown(without)).containsEntry("token", 1L).doesNotContainKeys("sameStore", "storeToken");
            assertThat(without.run("fence", "show", file.toString()).out()).contains("this store: no answer");
        } finally {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    @Test
    void aFenceOfThisStoreIsNotBoundAnew() throws IOException {
        with(grant(), "write", file.toString());
        byte[] before = Files.readAllBytes(fence());
        Result rebind = cli.run("fence", "rebind", file.toString(), "--reason", "to be sure");
        assertThat(rebind.code()).as(rebind.err()).isZero();
        assertThat(rebind.err()).contains("is already bound to this store", "nothing was changed");
        assertThat(Files.readAllBytes(fence())).isEqualTo(before);
        assertThat(cli.run("history", "job").out()).doesNotContain("to be sure");
    }

    @Test
    void rebindingRaisesTheCounterAndThenTheFence() {
        cli.run("repair", "job", "--above", "56", "--reason", "a long life");
        String old = grant();
        assertThat(with(old, "write", file.toString(), "--once").code()).isZero();
        Map<String, Object> before = shown(cli);
        CliRunner other = elsewhere();
        other.run("acquire", "job");
        assertThat(shown(other)).containsEntry("sameStore", false).containsEntry("storeToken", 1L);

        Result rebind = other.run("fence", "rebind", file.toString(), "--reason", "disk died", "--holder", "ops");
        assertThat(rebind.code()).as(rebind.err()).isZero();
        assertThat(rebind.err()).contains("is bound to store", "job token 59", "token 58");
        assertThat(other.run("history", "job").out())
                .contains("disk died", "rebound from store " + before.get("store"), "ops");
        assertThat(shown(other))
                .containsEntry("sameStore", true)
                .containsEntry("token", 59L)
                .containsEntry("once", 58L)
                .containsEntry("storeToken", 59L);
        assertThat(with(old, "write", file.toString()).code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(cli.run("write", file.toString(), "--name", "job", "--token", "58", "--no-check")
                        .code())
                .isEqualTo(ExitCode.STALE);
        assertThat(other.run("run", "job", "--guard", file.toString(), "--", "true")
                        .code())
                .isZero();
    }

    @Test
    void aStoreThatIsAheadIsRaisedByOneAndNeverLowered() {
        with(grant(), "write", file.toString());
        CliRunner other = elsewhere();
        other.run("repair", "job", "--above", "99", "--reason", "ahead");
        Map<String, Object> json =
                JsonText.object(other.run("fence", "rebind", file.toString(), "--reason", "moved", "--json")
                        .out());
        assertThat(json)
                .containsEntry("outcome", "rebound")
                .containsEntry("token", 101L)
                .containsEntry("formerToken", 1L);
    }

    @Test
    void anInterruptedRebindingIsRepeated() throws IOException {
        with(grant(), "write", file.toString());
        CliRunner other = elsewhere();
        other.run("repair", "job", "--above", "1", "--reason", "the first half");
        Result again = other.run("fence", "rebind", file.toString(), "--reason", "again");
        assertThat(again.code()).as(again.err()).isZero();
        assertThat(shown(other)).containsEntry("token", 3L).containsEntry("sameStore", true);
    }

    @Test
    void aChangeOutsideIsReportedBeforeItIsTakenNoticeOf() throws IOException {
        with(grant(), "write", file.toString());
        Files.writeString(file, "foreign");
        CliRunner other = elsewhere();
        Result rebind = other.run("fence", "rebind", file.toString(), "--reason", "moved");
        assertThat(rebind.err()).contains("warning: " + file + " was changed by another program since token 1");
        assertThat(shown(other)).containsEntry("changedOutside", 1L).containsEntry("changedNow", false);
    }

    @Test
    void aDamagedFenceIsNeitherShownNorBound() throws IOException {
        with(grant(), "write", file.toString());
        Files.writeString(fence(), "damaged");
        for (String action : List.of("show", "rebind")) {
            List<String> line = new ArrayList<>(List.of("fence", action, file.toString()));
            line.addAll(action.equals("show") ? List.of() : List.of("--reason", "lost"));
            Result result = cli.run(line.toArray(String[]::new));
            assertThat(result.code()).as(result.err()).isEqualTo(ExitCode.UNAVAILABLE);
        }
        assertThat(fence()).hasContent("damaged");
    }

    @Test
    void optionsThatMakeNoSenseAreRefused() {
        with(grant(), "write", file.toString());
        assertThat(cli.run("fence", "rebind", file.toString()).err()).contains("--reason S is missing");
        assertThat(cli.run("fence", "rebind", file.toString()).code()).isEqualTo(ExitCode.USAGE);
        assertThat(cli.run("fence", "show", file.toString(), "--reason", "why").code())
                .isEqualTo(ExitCode.USAGE);
        Result other = cli.run("fence", "show", file.toString(), "--name", "other");
        assertThat(other.code()).isEqualTo(ExitCode.USAGE);
        assertThat(other.err()).contains("guarded by lease job");
        assertThat(cli.run("fence", "remove", file.toString()).code()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void aUserWithoutAStoreSeesTheFenceAlone() {
        cli.stdin("x").run("write", file.toString(), "--name", "job", "--token", "7");
        Result shown = cli.without("LEASEHOLD_STORE")
                .env("HOME", directory.resolve("home").toString())
                .run("fence", "show", file.toString());

        assertThat(shown.code()).as(shown.err()).isZero();
        assertThat(shown.out()).contains("job", "7");
        assertThat(shown.err()).contains("this user has no store yet");
        assertThat(directory.resolve("home")).doesNotExist();
    }
}
