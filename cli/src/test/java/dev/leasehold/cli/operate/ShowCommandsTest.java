package dev.leasehold.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leases;
import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.JsonText;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.model.Holder;
import dev.leasehold.store.FileLeaseStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Status, history and explain. */
class ShowCommandsTest {
    @TempDir
    Path directory;

    private CliRunner cli;

    @BeforeEach
    void useAnEmptyStore() {
        cli = CliRunner.withStore(directory.resolve("store"));
    }

    @Test
    void statusIsAnAlignedTable() {
        cli.run("acquire", "a-long-name/of-a-job", "--holder", "me", "--ttl", "1h");
        cli.run("acquire", "b");
        cli.run("release", "b", "--token", "1");
        List<String> lines = cli.run("status").out().lines().toList();

        assertThat(lines).hasSize(3);
        assertThat(lines.get(0)).matches("NAME +STATE +TOKEN +HOLDER +HEALTH +LEFT +ACQUIRED +PROGRESS");
        assertThat(lines.get(1)).matches("a-long-name/of-a-job +held +1 +me +alive +59m\\d+s +\\S+ ago +-");
        assertThat(lines.get(2)).matches("b +released +1 +\\S+ +- +- +\\S+ ago +-");
        assertThat(lines.get(1).indexOf("held")).isEqualTo(lines.get(0).indexOf("STATE"));
        assertThat(cli.run("status", "b").out().lines()).hasSize(2);
    }

    @Test
    void statusAsJsonIsOneObjectPerLine() {
        cli.run("acquire", "a", "--holder", "quo\"te");
        cli.run("progress", "a", "--token", "1", "--note", "half \\ way", "--checkpoint", "p1");
        cli.run("acquire", "b");
        List<Map<String, Object>> leases =
                JsonText.lines(cli.run("status", "--json").out());

        assertThat(leases).hasSize(2);
        assertThat(leases.get(0))
                .containsEntry("name", "a")
                .containsEntry("state", "held")
                .containsEntry("free", false)
                .containsEntry("token", 1L)
                .containsEntry("holder", "quo\"te")
                .containsKeys("expiresInMs", "acquiredAt", "deadline", "at", "transfer");
        assertThat((Map<?, ?>) leases.get(0).get("progress"))
                .extracting("note", "checkpoint")
                .containsExactly("half \\ way", "p1");
    }

    /** A program that uses the library records nothing, but the store knows how each of its grants ended. */
    @Test
    void explainShowsRunsThatWereStartedFromJava() {
        cli.env("PATH", System.getenv("PATH")).run("run", "job", "--", "true");
        try (Leases leases = Leases.over(FileLeaseStore.open(directory.resolve("store")))
                .holder(Holder.of("java-service"))
                .build()) {
            leases.tryAcquire("job").lease().orElseThrow().close();
            assertThat(leases.tryAcquire("job").lease()).isPresent();
            cli.run("takeover", "job", "--reason", "stuck", "--holder", "ops");
        }
        assertThat(cli.run("explain", "job").out())
                .containsPattern("taken_over +3 +java-service")
                .containsPattern("released +2 +java-service")
                .containsPattern("ran +1 ")
                .contains("held from Java")
                .containsOnlyOnce("1 ran");
        List<?> runs = (List<?>)
                JsonText.object(cli.run("explain", "job", "--json").out()).get("runs");
        assertThat(runs).hasSize(3);
    }

    @Test
    void explainShowsTheLeaseThoughItsLogIsDamaged() throws Exception {
        cli.run("acquire", "a", "--holder", "me");
        cli.run("run", "a", "--", "true");
        Path log = directory.resolve("store/register/n-runs%2fa");
        assertThat(log).exists();
        Files.writeString(log, "damaged");

        Result explained = cli.run("explain", "a");

        assertThat(explained.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(explained.out())
                .contains("a is held by me (token 1)", "Changes of ownership")
                .doesNotContain("No runs");
        assertThat(explained.err())
                .contains("not everything can be shown", "n-runs%2fa is damaged", "Restore it from a backup");
    }

    @Test
    void aNameThatWasNeverHeldIsFree() {
        assertThat(cli.run("status", "x")).isEqualTo(new Result(0, "x is free: it was never held in this store\n", ""));
        assertThat(JsonText.object(cli.run("status", "x", "--json").out()))
                .containsEntry("state", "never-held")
                .containsEntry("free", true);
        assertThat(cli.run("history", "x").out()).contains("never held");
        assertThat(cli.run("explain", "x").out()).contains("never held");
        assertThat(cli.run("status").out()).isEqualTo("no leases yet\n");
    }

    @Test
    void historyIsNewestFirstAndLimited() {
        cli.run("acquire", "job");
        cli.run("release", "job", "--token", "1");
        cli.run("acquire", "job");
        cli.run("cancel", "job", "--reason", "enough now");
        List<String> lines = cli.run("history", "job").out().lines().toList();

        assertThat(lines).hasSize(4);
        assertThat(lines.get(1)).startsWith("3 ").contains("cancelled", "enough now");
        assertThat(lines.get(2)).startsWith("2 ").contains("released");
        assertThat(lines.get(3)).startsWith("1 ").contains("first");
        assertThat(JsonText.lines(
                        cli.run("history", "job", "--limit", "2", "--json").out()))
                .extracting("token")
                .containsExactly(3L, 2L);
        assertThat(cli.run("history", "job", "--limit", "0").code()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void explainDescribesTheState() {
        cli.run("acquire", "job", "--holder", "me");
        cli.run("progress", "job", "--token", "1", "--note", "page 3");

        assertThat(cli.run("explain", "job").out())
                .contains(
                        "job is held by me (token 1)",
                        "alive and makes progress",
                        "page 3",
                        "first",
                        "No runs are recorded");
    }

    @Test
    void explainAsJsonHoldsHistoryRunsAndCounters() {
        cli.run("acquire", "job");
        Path file = directory.resolve("f");
        cli.run("raise", file.toString(), "--name", "job", "--token", "2", "--no-check");
        cli.stdin("x").run("write", file.toString(), "--name", "job", "--token", "1");
        Map<String, Object> json =
                JsonText.object(cli.run("explain", "job", "--json").out());

        assertThat(json).containsKeys("name", "lease", "explanation", "history", "runs", "counters");
        assertThat((Map<?, ?>) json.get("counters")).extracting("stale_refused").isEqualTo(1L);
        assertThat((List<?>) json.get("runs")).hasSize(1);
    }
}
