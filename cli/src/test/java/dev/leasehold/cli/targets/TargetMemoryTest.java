package dev.leasehold.cli.targets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.JsonText;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.internal.HostName;
import dev.leasehold.store.FileLeaseStore;
import dev.leasehold.testkit.environment.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The store remembers the targets of each lease. So an operator raises them without knowing them,
 * and a fence that was restored from a backup does not admit what it refused before.
 */
class TargetMemoryTest {
    @TempDir
    Path directory;

    private CliRunner cli;
    private Path file;

    @BeforeEach
    void useAnEmptyStore() {
        cli = CliRunner.withStore(directory.resolve("store")).env("PATH", System.getenv("PATH"));
        file = directory.resolve("page.html");
    }

    private String grant(String... command) {
        Result result = cli.run(command);
        assertThat(result.code()).as(result.err()).isZero();
        return String.valueOf(JsonText.object(result.out()).get("grant"));
    }

    private String acquire() {
        return grant("acquire", "job", "--json");
    }

    private Result with(String grant, String... command) {
        Result result = cli.env("LEASEHOLD_GRANT", grant).stdin("text\n").run(command);
        cli.without("LEASEHOLD_GRANT");
        return result;
    }

    private String acquireAfterCancel() {
        assertThat(cli.run("cancel", "job", "--reason", "r").err()).contains("not raised", "went back");
        return acquire();
    }

    private Path fence() {
        return directory.resolve(".page.html.leasehold-fence");
    }

    private List<?> targets() {
        Map<String, Object> status =
                JsonText.object(cli.run("status", "job", "--json").out());
        return (List<?>) status.get("targets");
    }

    /** The fence at token 1, put back after token 2 has written. */
    private void restoreTheFenceFromABackup() throws IOException {
        with(acquire(), "write", file.toString());
        byte[] backup = Files.readAllBytes(fence());
        cli.run("cancel", "job", "--reason", "r");
        assertThat(with(acquire(), "write", file.toString()).code()).isZero();
        Files.write(fence(), backup);
    }

    @Test
    void aTargetIsRememberedWhenItIsRaisedAndWhenItIsWritten() {
        Path other = directory.resolve("other.html");
        Result run = cli.run("run", "job", "--guard", "file:" + file, "--", "true");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(cli.run("status", "job").out())
                .contains(HostName.get() + ":" + file + ": raised to token 1")
                .contains("ago");

        assertThat(with(acquire(), "write", other.toString()).code()).isZero();

        assertThat(targets()).hasSize(2);
        assertThat(String.valueOf(targets().get(0))).contains(other.toString(), "raised=2");
        assertThat(cli.run("explain", "job").out()).contains(other + ": raised to token 2", file.toString());
        assertThat(cli.run("explain", "job", "--json").out()).contains("\"target\":\"" + other + "\"");
    }

    @Test
    void aTargetIsRememberedOnceWhateverRaisesIt() {
        String grant = acquire();
        with(grant, "raise", file.toString());
        with(grant, "write", file.toString());
        with(grant, "append", directory.resolve("log").toString());
        Result exec = with(grant, "exec-fenced", directory.resolve("data").toString(), "--", "true");
        assertThat(exec.code()).as(exec.err()).isZero();
        assertThat(targets()).hasSize(3);
    }

    @Test
    void aWriteThatIsOnlyObservedIsNotRemembered() {
        assertThat(with(acquire(), "write", file.toString(), "--observe").code())
                .isZero();
        assertThat(targets()).isEmpty();
    }

    @Test
    void takeoverAndCancelRaiseTheTargetsThatTheStoreRemembers() {
        String first = acquire();
        with(first, "write", file.toString());
        Result takeover = cli.run("takeover", "job", "--reason", "stuck");
        assertThat(takeover.code()).as(takeover.err()).isZero();
        assertThat(takeover.err()).contains(file + " raised to job token 2").doesNotContain("targets not raised");
        assertThat(with(first, "write", file.toString(), "--no-check").code()).isEqualTo(ExitCode.STALE);

        Result cancel = cli.run("cancel", "job", "--reason", "wrong input", "--json");
        assertThat(JsonText.object(cancel.out()).get("targetsRaised")).isEqualTo(List.of(file.toString()));
        assertThat(cli.run("fence", "show", file.toString()).out()).contains("token: 3");
    }

    @Test
    void aRepairThatNoTargetNeededSaysSo() {
        with(acquire(), "write", file.toString());
        Result repair = cli.run("repair", "job", "--above", "7", "--reason", "perhaps it helps");
        assertThat(repair.code()).as(repair.err()).isZero();
        assertThat(repair.err()).contains(file + " raised to job token 8", "did not help", "above 1", "fence show");
    }

    /** The store was restored from a backup, and grants tokens that the target has seen. */
    @Test
    void aRepairThatATargetNeededDoesNotSaySo() throws Exception {
        acquire();
        Path backup = directory.resolve("backup");
        copy(directory.resolve("store"), backup);
        for (int i = 0; i < 3; i++) {
            cli.run("cancel", "job", "--reason", "r");
        }
        with(acquire(), "write", file.toString());
        copy(backup, directory.resolve("store"));
        cli.run("store", "adopt");
        Result repair = cli.run("repair", "job", "--above", "5", "--reason", "restored", "--guard", file.toString());
        assertThat(repair.code()).as(repair.err()).isZero();
        assertThat(repair.err()).contains(file + " raised to job token 6").doesNotContain("did not help");
    }

    @Test
    void aTargetThatTheOperatorNamesIsRaisedOnce() {
        with(acquire(), "write", file.toString());
        Result takeover = cli.run("takeover", "job", "--reason", "stuck", "--guard", file.toString(), "--json");
        assertThat(JsonText.object(takeover.out()).get("targetsRaised")).isEqualTo(List.of(file.toString()));
    }

    @Test
    void aTargetThatIsNotHereIsNamedWithTheCommandThatRaisesIt() throws IOException {
        with(acquire(), "write", file.toString());
        Files.delete(fence());
        Result takeover = cli.run("takeover", "job", "--reason", "stuck");
        assertThat(takeover.code()).as(takeover.err()).isZero();
        assertThat(takeover.err())
                .contains(file + " was not raised", "leasehold raise " + file + " --name job --token 2");
        assertThat(fence()).doesNotExist();
    }

    @Test
    void aFenceThatWasRestoredFromABackupAdmitsNothing() throws IOException {
        restoreTheFenceFromABackup();
        String current = acquireAfterCancel();
        byte[] before = Files.readAllBytes(file);
        Files.write(file, before);
        List<Result> refused = List.of(
                with(current, "write", file.toString()),
                with(current, "raise", file.toString()),
                cli.run("run", "job", "--take-over", "--reason", "r", "--guard", file.toString(), "--", "true"));
        for (Result one : refused) {
            assertThat(one.code()).as(one.err()).isEqualTo(ExitCode.UNAVAILABLE);
            assertThat(one.err())
                    .contains("went back", "raised to token 3", "at token 1 now", "leasehold fence rebind " + file);
        }
        assertThat(cli.run("fence", "show", file.toString()).out()).contains("token: 1, lower than before");
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    @Test
    void theWayOutOfAFenceThatWentBackIsRebind() throws IOException {
        restoreTheFenceFromABackup();
        Result rebind = cli.run("fence", "rebind", file.toString(), "--reason", "the restored page is right");
        assertThat(rebind.code()).as(rebind.err()).isZero();
        String next = acquire();
        assertThat(with(next, "write", file.toString()).code()).isZero();
        assertThat(cli.run("history", "job").out()).contains("the restored page is right");
    }

    @Test
    void aFenceThatWasRemovedStartsAnew() throws IOException {
        with(acquire(), "write", file.toString());
        cli.run("cancel", "job", "--reason", "r");
        Files.delete(fence());
        assertThat(with(acquire(), "write", file.toString()).code()).isZero();
        assertThat(targets()).hasSize(1);
    }

    /** Two hosts of one name, each with a disk of its own. */
    @Test
    void aLowerFenceOfAnotherDiskAtTheSamePathDidNotGoBack() throws IOException {
        with(acquire(), "write", file.toString());
        Path otherDisk = Files.move(fence(), directory.resolve("other-disk"));
        cli.run("cancel", "job", "--reason", "r");
        with(acquire(), "write", file.toString());
        Files.move(otherDisk, fence(), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        cli.run("cancel", "job", "--reason", "r");
        Result write = with(acquire(), "write", file.toString());
        assertThat(write.code()).as(write.err()).isZero();
    }

    @Test
    void aNameIsForgottenWhenItsTargetsAreGone() throws IOException {
        cli.run("run", "job", "--guard", "file:" + file, "--", "true");
        Result refused = cli.run("forget", "job", "--reason", "r");
        assertThat(refused.code()).isEqualTo(ExitCode.BUSY);
        assertThat(refused.err()).contains("still guards", file.toString(), "--keep-targets");
        assertThat(cli.run("forget", "job", "--reason", "r", "--json").out()).contains("still-guarded");
        Files.delete(fence());
        assertThat(cli.run("forget", "job", "--reason", "r").code()).isZero();
        assertThat(targets()).isNull();
    }

    @Test
    void aNameIsForgottenBesideItsTargetsOnRequest() {
        cli.run("run", "job", "--guard", "file:" + file, "--", "true");
        assertThat(cli.run("forget", "job", "--reason", "r", "--keep-targets").code())
                .isZero();
        assertThat(fence()).exists();
    }

    @Test
    void aDamagedRecordStopsNoWorkAndIsFoundByDoctor() throws IOException {
        cli.run("run", "job", "--guard", "file:" + file, "--", "true");
        try (FileLeaseStore store = FileLeaseStore.open(directory.resolve("store"))) {
            String key = "targets/job";
            String version = store.register().read(key).version();
            assertThat(store.register().compareAndSet(key, version, "damaged")).isTrue();
        }
        assertThat(cli.run("doctor", "--rounds", "20").err()).contains("the record of the targets of job is damaged");
        assertThat(cli.run("status", "job").code()).isEqualTo(ExitCode.UNAVAILABLE);
        Result run = cli.run("run", "job", "--guard", "file:" + file, "--", "true");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err()).contains("warning", "targets of job cannot be read");
        assertThat(targets()).as("the next raise replaces the record").hasSize(1);
    }

    @Test
    void aFileOfRecordsThatIsDamagedStopsNoWorkEither() throws IOException {
        cli.run("run", "job", "--guard", "file:" + file, "--", "true");
        Files.writeString(directory.resolve("store/register/n-targets%2fjob"), "junk");
        assertThat(cli.run("run", "job", "--guard", "file:" + file, "--", "true")
                        .code())
                .isZero();
        assertThat(cli.run("takeover", "job", "--reason", "r").code()).isZero();
        cli.run("cancel", "job", "--reason", "r");
        Result forgotten = cli.run("forget", "job", "--reason", "r");
        assertThat(forgotten.code()).as(forgotten.err()).isZero();
        assertThat(forgotten.err()).contains("move the file away");
    }

    @Test
    void manyTargetsAreRemembered() {
        List<String> line = new ArrayList<>(List.of("run", "job"));
        for (int i = 0; i < 60; i++) {
            line.addAll(List.of("--guard", "file:" + directory.resolve("target-" + i)));
        }
        line.addAll(List.of("--", "true"));
        cli.run(line.toArray(String[]::new));
        assertThat(targets()).hasSize(60);
    }

    @Test
    void aTurnedLinkDoesNotHideTheFileThatIsGuarded() throws IOException {
        Path link =
                Files.createSymbolicLink(directory.resolve("link"), Files.writeString(directory.resolve("one"), ""));
        String first = acquire();
        with(first, "write", link.toString());
        Files.delete(link);
        Files.createSymbolicLink(link, Files.writeString(directory.resolve("two"), ""));
        assertThat(cli.run("cancel", "job", "--reason", "r").err())
                .contains(directory.resolve("one") + " raised to job token 2");
        assertThat(with(first, "write", directory.resolve("one").toString(), "--no-check")
                        .code())
                .isEqualTo(ExitCode.STALE);
    }

    @Test
    void anAdvisedCommandCanBeTypedAndShownWithoutControlCharacters() throws IOException {
        Path odd = directory.resolve("a b'c\u001b[31m");
        with(acquire(), "write", odd.toString());
        assertThat(cli.run("status", "job").out()).doesNotContain("\u001b").contains("a b'c");
        assertThat(cli.run("explain", "job").out()).doesNotContain("\u001b");
        Files.delete(directory.resolve(".a b'c\u001b[31m.leasehold-fence"));
        Path blank = directory.resolve("a b");
        String grant = String.valueOf(JsonText.object(
                        cli.run("takeover", "job", "--reason", "r", "--json").out())
                .get("grant"));
        with(grant, "write", blank.toString());
        Files.delete(directory.resolve(".a b.leasehold-fence"));
        Result cancel = cli.run("cancel", "job", "--reason", "r", "--json");
        assertThat(cancel.err()).contains("leasehold raise '" + blank + "' --name job");
        assertThat(String.valueOf(JsonText.object(cancel.out()).get("targetsNotRaised")))
                .contains(blank.toString());
    }

    @Test
    @Requires("git")
    void aGitRemoteIsRememberedByItsUrlAndRaised() throws Exception {
        Path repository = directory.resolve("target.git");
        cli.env("HOME", directory.toString()).env("GIT_CONFIG_NOSYSTEM", "1");
        assertThat(new ProcessBuilder("git", "init", "--quiet", "--bare", repository.toString())
                        .start()
                        .waitFor())
                .isZero();
        assertThat(with(acquire(), "raise", repository.toString()).code()).isZero();
        copy(repository, directory.resolve("backup"));
        Result takeover = cli.run("takeover", "job", "--reason", "r", "--json");
        assertThat(JsonText.object(takeover.out()).get("targetsRaised")).isEqualTo(List.of(repository.toString()));

        copy(directory.resolve("backup"), repository);
        Result raise =
                with(String.valueOf(JsonText.object(takeover.out()).get("grant")), "raise", repository.toString());

        assertThat(raise.code()).as(raise.err()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(raise.err()).contains("went back", "leasehold fence rebind " + repository + " --name job");
        assertThat(cli.run("fence", "rebind", repository.toString(), "--name", "job", "--reason", "r")
                        .code())
                .isZero();
    }

    private static void copy(Path from, Path to) throws Exception {
        String script = "rm -rf \"$2\" && cp -a \"$1\" \"$2\"";
        assertThat(new ProcessBuilder("sh", "-c", script, "copy", from.toString(), to.toString())
                        .start()
                        .waitFor())
                .isZero();
    }
}
