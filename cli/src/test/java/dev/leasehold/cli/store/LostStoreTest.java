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

    @BeforeEach
    void guardAFileAndLoseTheStore() throws IOException {
        store = directory.resolve("store");
        file = directory.resolve("page.html");
        cli = CliRunner.withStore(store);
        assertThat(run("job", "true").code()).isZero();
        try (Stream<Path> all = Files.walk(store)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
        assertThat(cli.run("store", "init").code()).isZero();
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
    void anotherLeaseNameIsStillAUsageError() {
        Result refused = run("other", "echo ran");
        assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err()).contains("is guarded by lease job, not by other");
    }

    private static void assertRefused(Result refused) {
        assertThat(refused.code()).as(refused.err()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(refused.err())
                .contains("is bound to store", "nothing was written", "restore it", "remove the fence by hand")
                .contains("its writers that still run are then no longer refused");
        assertThat(List.of(refused.err().split("\n", -1))).noneMatch(line -> line.contains("leasehold repair"));
    }
}
