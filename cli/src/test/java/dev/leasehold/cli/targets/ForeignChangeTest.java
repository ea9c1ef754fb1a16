package dev.leasehold.cli.targets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.JsonText;
import dev.leasehold.cli.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that writes a guarded file without Leasehold is noticed at the next step. */
class ForeignChangeTest {
    private static final String CHANGED = "was changed by another program since token ";

    @TempDir
    Path directory;

    private CliRunner cli;
    private Path file;

    @BeforeEach
    void useAnEmptyStore() {
        cli = CliRunner.withStore(directory.resolve("store"));
        file = directory.resolve("page.html");
    }

    private Result write(String token, String... more) {
        return with(List.of("write", file.toString()), token, more);
    }

    private Result raise(String token, String... more) {
        return with(List.of("raise", file.toString()), token, more);
    }

    private Result with(List<String> command, String token, String... more) {
        List<String> line = new ArrayList<>(command);
        line.addAll(List.of("--name", "job", "--token", token));
        line.addAll(List.of(more));
        return cli.stdin("by token " + token).run(line.toArray(String[]::new));
    }

    @Test
    void aWriteWarnsOnceThatItReplacesForeignContent() throws IOException {
        write("1");
        Files.writeString(file, "foreign");
        Result warned = write("2");

        assertThat(warned.code()).isZero();
        assertThat(warned.err())
                .contains("warning: " + file + " " + CHANGED + "1 wrote it")
                .hasLineCount(1);
        assertThat(file).hasContent("by token 2");
        assertThat(write("2").err()).isEmpty();
    }

    @Test
    void aRaiseWarnsOnceAndCounts() throws IOException {
        write("1");
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000_000_000L));
        assertThat(raise("2").err()).contains(CHANGED + "1 wrote it", "first change");
        assertThat(raise("2").err()).doesNotContain("changed");
        Files.delete(file);
        assertThat(raise("3").err()).contains(CHANGED + "1 wrote it", "change number 2");
        assertThat(write("3").err()).isEmpty();
    }

    @Test
    void strictRefusesToReplaceForeignContent() throws IOException {
        write("1");
        Files.writeString(file, "foreign");
        Result refused = write("2", "--strict");

        assertThat(refused.code()).as(refused.err()).isEqualTo(ExitCode.STALE);
        assertThat(refused.err()).contains("nothing was written", CHANGED + "1 wrote it");
        assertThat(file).hasContent("foreign");
        assertThat(raise("2", "--strict").code()).isEqualTo(ExitCode.STALE);
        assertThat(write("1", "--strict").err()).as("the fence was not raised").contains(CHANGED);
        assertThat(raise("2").code()).isZero();
        assertThat(write("1", "--strict").err()).contains("is stale");
        assertThat(write("2", "--strict").code()).isZero();
    }

    @Test
    void aLinkThatWasTurnedByHandIsNoticed() throws IOException {
        Path tree = Files.createDirectory(directory.resolve("tree"));
        Path site = directory.resolve("site");
        List<String> publish = List.of("publish", tree.toString(), site.toString());
        assertThat(with(publish, "1").code()).isZero();
        Path first = Files.readSymbolicLink(site);
        assertThat(with(publish, "2").err()).isEmpty();
        assertThat(with(publish, "2").err()).isEmpty();
        Files.delete(site);
        Files.createSymbolicLink(site, first);
        Result refused = with(publish, "3", "--strict");
        assertThat(refused.code()).isEqualTo(ExitCode.STALE);
        assertThat(Files.readSymbolicLink(site)).isEqualTo(first);
        Result warned = with(publish, "3");
        assertThat(warned.code()).isZero();
        assertThat(warned.err()).contains(site + " " + CHANGED + "2 wrote it");
        assertThat(with(publish, "3").err()).isEmpty();
        assertThat(cli.run("fence", "show", site.toString()).out()).contains("changed outside: noticed 1 times");
    }

    @Test
    void aRunWarnsOrDoesNotStart() throws IOException {
        write("1");
        cli.run("repair", "job", "--above", "1", "--reason", "test");
        Files.writeString(file, "foreign");
        Result refused =
                cli.run("run", "job", "--guard", file.toString(), "--strict", "--", "touch", file + ".started");
        Result warned = cli.run("run", "job", "--guard", file.toString(), "--", "true");

        assertThat(refused.code()).as(refused.err()).isEqualTo(ExitCode.STALE);
        assertThat(refused.err()).contains("the command was not started", CHANGED + "1 wrote it");
        assertThat(Path.of(file + ".started")).doesNotExist();
        assertThat(warned.code()).isZero();
        assertThat(warned.err()).contains("warning: ", CHANGED + "1 wrote it");
    }

    @Test
    void whatGoesThroughTheFenceIsNotForeign() throws Exception {
        for (String token : List.of("1", "2", "3")) {
            assertThat(write(token, "--strict").err()).isEmpty();
            assertThat(write(token, "--once", "--strict").err()).isEmpty();
            assertThat(raise(token, "--strict").err()).doesNotContain("changed");
        }
        Thread.sleep(20);
        Result inPlace = cli.run(
                "exec-fenced", file.toString(), "--name", "job", "--token", "3", "--", "touch", file.toString());

        assertThat(inPlace.code()).as(inPlace.err()).isZero();
        assertThat(write("4", "--strict").err()).isEmpty();
        cli.run("repair", "job", "--above", "4", "--reason", "so that the store knows the name");
        Result taken = cli.run("takeover", "job", "--reason", "r", "--guard", file.toString());
        assertThat(taken.code()).as(taken.err()).isZero();
        assertThat(taken.err()).doesNotContain("changed");
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> counters() {
        return (Map<String, Object>)
                JsonText.object(cli.run("explain", "job", "--json").out()).get("counters");
    }

    @Test
    void explainDoesNotCallAChangeByAnotherProgramStale() throws IOException {
        write("1");
        Files.writeString(file, "foreign");
        write("2", "--strict");
        raise("2", "--strict");
        write("2");
        Files.writeString(file, "foreign again");
        raise("3");

        assertThat(counters())
                .containsEntry("strict_refused", 2L)
                .containsEntry("changed_outside", 2L)
                .doesNotContainKey("stale_refused");
        assertThat(cli.run("explain", "job").out())
                .contains(
                        "2 refused by --strict",
                        "2 changed by another program",
                        CHANGED + "1 wrote it",
                        file.toString());
    }

    @Test
    void explainShowsWhatARunNoticed() throws Exception {
        write("1");
        cli.run("repair", "job", "--above", "1", "--reason", "test");
        Files.writeString(file, "foreign");
        cli.run("run", "job", "--guard", file.toString(), "--strict", "--", "true");
        cli.run("run", "job", "--holder", "night", "--guard", file.toString(), "--", "true");

        assertThat(counters())
                .containsEntry("strict_refused", 1L)
                .containsEntry("changed_outside", 1L)
                .containsEntry("ran", 1L)
                .doesNotContainKey("stale_refused");
        assertThat(cli.run("explain", "job").out())
                .containsPattern("changed_outside +4 +night ")
                .contains(file.toString());
    }

    @Test
    void explainShowsWhatAScheduledJobNoticed() throws Exception {
        write("1");
        cli.run("repair", "job", "--above", "1", "--reason", "test");
        Files.writeString(file, "foreign");
        Path jobs = Files.writeString(
                directory.resolve("jobs.yaml"),
                "store: " + cli.environment().get("LEASEHOLD_STORE")
                        + "\njobs: {job: {schedule: '* * * * * *', guard: [" + file + "], shell: 'touch ran'}}\n");
        Process up = new CliRunner()
                .withDrivers()
                .env("HOME", directory.toString())
                .in(directory)
                .start("up", "-f", jobs.toString());
        try {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (!Files.exists(directory.resolve("ran")) && System.nanoTime() < deadline) {
                Thread.sleep(50);
            }
        } finally {
            up.destroy();
            assertThat(up.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(counters()).containsEntry("changed_outside", 1L);
    }

    @Test
    void aRunThatNoticesAChangeAndVanishesIsStillRecorded() throws Exception {
        write("1");
        cli.run("repair", "job", "--above", "1", "--reason", "test");
        Files.writeString(file, "foreign");
        String token = cli.run("acquire", "job", "--ttl", "1s").outLine();
        raise(token);
        Thread.sleep(1200);
        cli.run("run", "job", "--", "true");

        assertThat(counters())
                .containsEntry("changed_outside", 1L)
                .containsEntry("expired", 1L)
                .containsEntry("ran", 1L);
    }
}
