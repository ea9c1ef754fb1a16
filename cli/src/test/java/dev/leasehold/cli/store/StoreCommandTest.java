package dev.leasehold.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores that are not the store that the user means. */
class StoreCommandTest {
    @TempDir
    Path directory;

    private Path share;
    private CliRunner cli;

    @BeforeEach
    void nameAStoreThatIsNotThere() {
        share = directory.resolve("share/leases");
        cli = CliRunner.withMissingStore(share);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run job -- true",
                "acquire job",
                "status",
                "status job",
                "history job",
                "explain job",
                "advise job",
                "work",
                "due",
                "takeover job --reason r",
                "repair job --above 9 --reason r",
                "doctor"
            })
    void aShareThatIsNotMountedDoesNotBecomeASecondStore(String command) {
        Result result = cli.run(command.split(" "));

        assertThat(result.code()).as(result.err()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(result.err()).contains("mount it", "leasehold store init file:" + share);
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void theMessageLeadsToAStoreThatWorks() {
        Result made = cli.run("store", "init");

        assertThat(made.code()).as(made.err()).isZero();
        assertThat(made.outLine()).startsWith("file:" + share + "?id=");
        assertThat(cli.run("run", "job", "--", "true").code()).isZero();
        Result again = cli.run("store", "init", "file:" + share);
        assertThat(again.outLine()).isEqualTo(made.outLine());
        assertThat(again.err()).contains("exists already");
        assertThat(cli.run("status").out()).contains("job");
    }

    @Test
    void aUrlWithAnIdRefusesAnotherStoreAtTheSamePlace() throws IOException {
        String pinned = cli.run("store", "init").outLine();
        assertThat(cli.run("acquire", "job", "--store", pinned).outLine()).isEqualTo("1");
        Files.move(directory.resolve("share"), directory.resolve("old"));
        cli.run("store", "init");

        Result other = cli.run("acquire", "job", "--store", pinned);

        assertThat(other.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(other.err()).contains("names store", "Nothing was changed");
        assertThat(cli.run("status").out()).doesNotContain("job");
    }

    @Test
    void aTildeThatNoShellReplacedIsRefused() {
        for (String command : new String[] {"store init file:~/leases", "status --store file:~/leases"}) {
            Result result = cli.in(directory).process(command.split(" "));

            assertThat(result.code()).as(result.err()).isEqualTo(ExitCode.USAGE);
            assertThat(result.err()).contains("file:$HOME/");
            assertThat(directory).isEmptyDirectory();
        }
    }

    @Test
    void aUrlWithAnIdCreatesNoStore() {
        Result init = cli.run("store", "init", "file:" + share + "?id=the-store-that-is-gone");

        assertThat(init.code()).as(init.err()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(directory).isEmptyDirectory();
        cli.run("store", "init");
        assertThat(cli.run("store", "adopt", "file:" + share + "?id=the-store-that-is-gone")
                        .code())
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void unknownParametersAreRefused() {
        cli.run("store", "init");

        Result result = cli.run("status", "--store", "file:" + share + "?ttl=3");

        assertThat(result.code()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains("unknown parameter");
    }

    @Test
    void aCopyOfAStoreIsRefusedUntilItIsAdopted() throws IOException {
        cli.run("store", "init");
        cli.run("acquire", "job", "--ttl", "1s");
        Path copied = directory.resolve("copied");
        copy(share, copied);
        CliRunner copy = CliRunner.withMissingStore(copied);

        Result refused = copy.run("acquire", "other");

        assertThat(refused.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(refused.err()).contains("is a copy of a store", "leasehold store adopt file:" + copied);
        assertThat(copy.run("status").code()).isEqualTo(ExitCode.UNAVAILABLE);
        Result adopted = copy.run("store", "adopt", "file:" + copied);
        assertThat(adopted.code()).as(adopted.err()).isZero();
        assertThat(adopted.outLine().replaceFirst(".*id=", ""))
                .isEqualTo(cli.run("store", "init").outLine().replaceFirst(".*id=", ""));
        assertThat(copy.run("acquire", "other").outLine()).isEqualTo("1");
    }

    @Test
    void twoHostsFindOutWhetherTheyUseOneStore() throws Exception {
        cli.run("store", "init");
        String[] peer = {"doctor", "--peer", "--wait", "60s"};
        CompletableFuture<Result> first = CompletableFuture.supplyAsync(() -> cli.process(peer));
        Result second = cli.process(peer);

        assertThat(second.code()).as(second.err()).isZero();
        assertThat(second.out()).contains("one store: ");
        assertThat(first.get().code()).as(first.get().err()).isZero();
        assertThat(cli.run("doctor", "--peer", "--wait", "1s").code()).isEqualTo(ExitCode.UNAVAILABLE);

        Path copied = directory.resolve("copied");
        copy(share, copied);
        CliRunner copy = CliRunner.withMissingStore(copied);
        copy.run("store", "adopt");
        String[] impatient = {"doctor", "--peer", "--wait", "5s"};
        first = CompletableFuture.supplyAsync(() -> cli.process(impatient));
        Result alone = copy.process(impatient);
        assertThat(alone.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(alone.err()).contains("uses another store");
        assertThat(first.get().code()).isEqualTo(ExitCode.UNAVAILABLE);
    }

    @Test
    void aMovedStoreIsTheSameStore() throws IOException {
        cli.run("store", "init");
        cli.run("acquire", "job");
        Path elsewhere = Files.move(share, directory.resolve("elsewhere"));

        assertThat(CliRunner.withMissingStore(elsewhere).run("status").out()).contains("job");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Dropbox/leases", "OneDrive - Acme/x/leases", "Library/Mobile Documents/leases", "stfolder"})
    void foldersThatAreKeptInSyncAreRefused(String place) throws IOException {
        Path folder = directory.resolve(place);
        if (place.equals("stfolder")) {
            Files.createDirectories(directory.resolve("plain/.stfolder"));
            folder = directory.resolve("plain/leases");
        }

        Result refused = cli.run("store", "init", "file:" + folder);

        assertThat(refused.code()).as(refused.err()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err()).contains("in sync", "--allow-synced");
        assertThat(folder).doesNotExist();
        assertThat(cli.run("store", "init", "file:" + folder, "--allow-synced").code())
                .isZero();
    }

    @Test
    void readingCreatesNotEvenTheStoreOfThisUser() {
        CliRunner user = new CliRunner().env("HOME", directory.toString());
        for (String command : List.of("status", "history job", "explain job", "advise job", "work", "due")) {
            Result result = user.run(command.split(" "));
            assertThat(result.err()).as(command).doesNotContain("store init");
            assertThat(directory).as(command).isEmptyDirectory();
        }
        assertThat(user.run("acquire", "job").outLine()).isEqualTo("1");
    }

    @Test
    void anEmptyVariableIsNotTheDefaultStore() {
        Result result = new CliRunner()
                .env("HOME", directory.toString())
                .env("LEASEHOLD_STORE", "")
                .run("acquire", "job");

        assertThat(result.code()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains("LEASEHOLD_STORE is set but empty");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void onlyFileStoresCanBeAdopted() {
        Result result = cli.run("store", "adopt", "sqlite:" + directory.resolve("x.db"));

        assertThat(result.code()).isEqualTo(ExitCode.USAGE);
        assertThat(directory).isEmptyDirectory();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }

    @Test
    void aCopyWithoutItsLeasesIsNotAdopted() throws IOException {
        cli.run("store", "init");
        cli.run("run", "job", "--", "true");
        Path part = directory.resolve("part");
        Files.createDirectories(part.resolve("leases"));
        Files.createDirectories(part.resolve("register"));
        Files.copy(share.resolve("leasehold-store"), part.resolve("leasehold-store"));
        try (Stream<Path> records = Files.list(share.resolve("register"))) {
            for (Path record : records.toList()) {
                Files.copy(record, part.resolve("register").resolve(record.getFileName()));
            }
        }
        Result adopted = cli.run("store", "adopt", "file:" + part);

        assertThat(adopted.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(adopted.err()).contains("only a part of the store", "start again at 1", "fence rebind");
    }

    @Test
    void aLinkThatLeadsNowhereIsNamedAsSuch() throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("link"), directory.resolve("not-mounted"));
        Result status = cli.run("status", "--store", "file:" + link);

        assertThat(status.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(status.err())
                .contains("symbolic link to " + directory.resolve("not-mounted"), "correct the link")
                .doesNotContain("store init");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "store migrate",
                "store migrate --from file:/a",
                "store migrate file:/a --from file:/a --to file:/b",
                "store init --from file:/a",
                "store migrate --from nonsense --to file:/b",
                "store migrate --from file:/a --to file:/b?id=abcdefgh",
                "store migrate --from memory: --to file:/b",
                "store migrate --from file:/a --to h2:mem:x",
                "store migrate --from file:/a --to file:/a/leases/b",
                "store migrate --from file:/a --to sqlite:/a/leases/b.db",
                "store init --never-used"
            })
    void aMoveThatIsMistypedChangesNothing(String command) {
        Result refused = cli.run(command.split(" "));
        assertThat(refused.code()).as(command + refused.err()).isIn(ExitCode.USAGE, ExitCode.UNAVAILABLE);
        assertThat(refused.out()).isEmpty();
    }
}
