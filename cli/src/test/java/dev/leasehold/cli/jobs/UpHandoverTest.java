package dev.leasehold.cli.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Stores;
import dev.leasehold.cli.CliRunner;
import dev.leasehold.jobs.JobRecord;
import dev.leasehold.jobs.JobRecords;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.LeaseStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two {@code up} processes, one of which is stopped while the other continues, as in a rolling
 * restart.
 */
class UpHandoverTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int SLOTS_AFTER = 4;

    @TempDir
    Path folder;

    private final List<Process> machines = new ArrayList<>();

    @AfterEach
    void end() {
        machines.forEach(Process::destroyForcibly);
    }

    /**
     * A busy machine may start a slot late, which the overlap allows. If a machine kept a lease that
     * it does not use, slots would be skipped.
     */
    @Test
    void noSlotIsSkippedWhenTheMachineThatRanTheJobStops() throws Exception {
        Files.writeString(
                folder.resolve("leasehold.yaml"),
                """
                jobs:
                  tick:
                    schedule: "*/3 * * * * *"
                    overlap: wait 20s
                    shell: sleep 1; echo "$LEASEHOLD_KEY" >> effects
                """);
        machines.add(start("log-0"));
        machines.add(start("log-1"));
        await(
                "both see slots",
                () -> effects().size() >= 3
                        && log(0).contains(" runs 1 job of ")
                        && log(1).contains(" runs 1 job of "));
        await("both have handled some slots", moreThan(effects().size() + 2));

        int latest = latestToken(0) > latestToken(1) ? 0 : 1;
        machines.get(latest).destroy();
        assertThat(machines.get(latest).waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        await("the other machine continues", moreThan(effects().size() + SLOTS_AFTER));
        machines.get(1 - latest).destroy();
        assertThat(machines.get(1 - latest).waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();

        assertThat(record().counters()).as("%s\n%s", log(0), log(1)).containsOnlyKeys("ran");
        assertThat(effects()).doesNotHaveDuplicates();
    }

    private Process start(String log) throws IOException {
        CliRunner cli = CliRunner.withStore(folder.resolve("store")).withDrivers();
        ProcessBuilder builder = new ProcessBuilder(
                cli.commandLine("up", "-f", folder.resolve("leasehold.yaml").toString()));
        builder.environment().putAll(cli.environment());
        return builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve(log).toFile())
                .start();
    }

    private JobRecord record() {
        try (LeaseStore store = Stores.create("file:" + folder.resolve("store"))) {
            return new JobRecords(store.register())
                    .read(LeaseName.of("tick"))
                    .orElseThrow()
                    .record();
        }
    }

    private BooleanSupplier moreThan(int slots) {
        return () -> effects().size() > slots;
    }

    private long latestToken(int machine) {
        return log(machine)
                .lines()
                .filter(line -> line.contains(" started, token "))
                .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
                .max()
                .orElse(0);
    }

    private List<String> effects() {
        return read("effects").lines().toList();
    }

    private String log(int machine) {
        return read("log-" + machine);
    }

    private String read(String name) {
        return new WatchedFolder(folder).read(name);
    }

    private void await(String what, BooleanSupplier condition) throws InterruptedException {
        WatchedFolder.await(what, condition, () -> log(0) + log(1));
    }
}
