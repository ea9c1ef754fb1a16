package dev.leasehold.cli.jobs;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.model.LeaseName;
import dev.leasehold.store.FileLeaseStore;
import dev.leasehold.testkit.environment.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code leasehold up} as a process: it reads a changed file again and stops on a signal. */
@Requires("git")
class UpTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    Path folder;

    private Process up;

    @BeforeEach
    void start() throws Exception {
        String site = folder.resolve("site.git").toString();
        assertThat(new ProcessBuilder("git", "init", "--quiet", "--bare", site)
                        .start()
                        .waitFor())
                .isZero();
        CliRunner cli = CliRunner.withStore(folder.resolve("store"));
        cli.process("run", "old", "--key", "long-ago", "--", "true");
        cli.process("run", "guarded", "--guard", folder.resolve("page").toString(), "--", "true");
        write("first", "echo first >> effects");
        ProcessBuilder builder = new ProcessBuilder(CliRunner.withStore(folder.resolve("store"))
                .withDrivers()
                .commandLine("up", "-f", folder.resolve("jobs.yaml").toString()));
        FileLeaseStore.create(folder.resolve("store")).close();
        builder.environment().put("LEASEHOLD_STORE", "file:" + folder.resolve("store"));
        up = builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
    }

    @AfterEach
    void end() {
        up.destroyForcibly();
    }

    @Test
    void aChangedFileIsReadAgainAndARunningJobMayFinish() throws Exception {
        await("the first job", () -> effects().contains("first"));
        assertThat(folder.resolve("site.git/refs/leasehold/first"))
                .as("the fence of its guard")
                .exists();
        await("old work is pruned", () -> log().contains("1 old work item was pruned"));
        await("old names are forgotten", () -> log().contains("1 name that was free for 1ms or longer was forgotten"));
        try (FileLeaseStore store = FileLeaseStore.open(folder.resolve("store"))) {
            assertThat(store.names("", "", 10))
                    .as("those of jobs stay")
                    .containsExactlyInAnyOrder(LeaseName.of("first"), LeaseName.of("guarded"));
        }

        Files.writeString(folder.resolve("jobs.yaml"), "jobs: {broken: {schedule: x}}");
        await("the mistake is reported", () -> log().contains("the previous jobs stay in force"));

        Files.writeString(
                folder.resolve("jobs.yaml"),
                "jobs: {broken: {schedule: '* * * * *', guard: ['-o@host:repo'], shell: 'true'}}");
        await("another mistake is reported", () -> log().contains("-o@host:repo"));

        write("slow", "echo begun >> effects; sleep 1; echo finished >> effects");
        await("the new job", () -> effects().contains("begun"));
        up.destroy();

        assertThat(up.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(up.exitValue()).as(log()).isZero();
        assertThat(effects().lines().filter("begun"::equals).count())
                .as(log())
                .isEqualTo(effects().lines().filter("finished"::equals).count());
        assertThat(log())
                .contains("jobs.broken", "looks like an option", "stopping")
                .doesNotContain("failed");
        assertThat(log().lines().filter(line -> line.contains("first@")).toList())
                .isNotEmpty();
        assertThat(CliRunner.withStore(folder.resolve("store"))
                        .run("explain", "slow")
                        .out())
                .contains("echo begun >> effects");
    }

    /**
     * Whatever replaces the file, the running jobs continue, and the next valid file takes effect.
     */
    @Test
    void aBadReplacementOfTheFileStopsNoJob() throws Exception {
        await("the first job", () -> effects().contains("first"));
        Path file = folder.resolve("jobs.yaml");
        String good = Files.readString(file);

        replaceBy("jobs: " + "[".repeat(2_000) + "]".repeat(2_000));
        refused(1, "jobs.yaml:1: this is nested more than 50 deep");
        Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});
        refused(2, "not UTF-8");
        replaceBy("#".repeat(3_100_000));
        refused(3, "larger than");
        replaceBy(good.replace("[site.git]", "['-x:y']"));
        refused(4, "looks like an option");
        Files.delete(file);
        refused(5, "does not exist");
        Files.createDirectory(file);
        refused(6, "is a directory");
        Files.delete(file);
        Files.createSymbolicLink(file, file);
        refused(7, "cannot read");
        Files.delete(file);
        // Opening a pipe would wait for a writer forever.
        assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                .isZero();
        refused(8, "is not a regular file");
        // With another store, a second machine would run the same slots.
        replaceBy("store: 'file:" + folder.resolve("other") + "'\n" + good.replace("echo first", "echo elsewhere"));
        refused(9, "store: it was changed");
        assertThat(effects()).doesNotContain("elsewhere");

        long before = effects().lines().count();
        await("the first job goes on", () -> effects().lines().count() > before + 1);
        replaceBy(good.replace("echo first", "echo second"));
        await("the next good file", () -> effects().contains("second"));
        up.destroy();
        assertThat(up.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(up.exitValue()).as(log()).isZero();
    }

    private void replaceBy(String text) throws IOException {
        Path next = Files.writeString(folder.resolve("next.yaml"), text);
        Files.move(next, folder.resolve("jobs.yaml"), REPLACE_EXISTING);
    }

    private void refused(int times, String why) throws InterruptedException {
        await(why, () -> !up.isAlive() || log().split("the previous jobs stay in force", -1).length > times);
        assertThat(up.isAlive()).as(log()).isTrue();
        assertThat(log()).contains(why);
    }

    private void write(String job, String line) throws IOException {
        Files.writeString(
                folder.resolve("jobs.yaml"),
                "keep-done: 1ms\nkeep-free: 1ms\njobs: {" + job
                        + ": {schedule: '* * * * * *', ttl: 10s, guard: [site.git], shell: '" + line + "'}}");
    }

    private String effects() {
        return read("effects");
    }

    private String log() {
        return read("log");
    }

    private String read(String name) {
        return new WatchedFolder(folder).read(name);
    }

    private void await(String what, BooleanSupplier condition) throws InterruptedException {
        WatchedFolder.await(what, condition, this::log);
    }
}
