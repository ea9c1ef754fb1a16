package dev.leasehold.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.testkit.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What a host has seen of a store without a clock, for commands that run for a moment each. */
class ObservationNotesTest {
    private static final LeaseName NAME = ObservingHost.NAME;
    private static final Duration TTL = ObservingHost.TTL;

    private final MemoryRegister memory = new MemoryRegister(new ManualClock());
    private final ObservingHost holder = new ObservingHost(memory);
    private final ObservingHost contender = new ObservingHost(memory);

    @TempDir
    Path directory;

    /** A command that shows all leases must not delay those that wait for one of them. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void listReadsTheNotesOfThoseWhoWaitAndLeavesThemThere() throws IOException {
        Grant grant = holder.granted();
        holder.holdOthers(600);
        contender.startAgain(directory);
        contender.assertBusy();
        contender.startAgain(directory);
        assertThat(contender.store.list("", "", 1000)).hasSize(601);
        onlyFile();
        contender.ticker.advance(TTL);
        contender.startAgain(directory);
        assertThat(contender.store.list(NAME.value(), "", 10).get(0).state()).isEqualTo(LeaseSnapshot.State.EXPIRED);
        contender.startAgain(directory);
        assertThat(contender.granted().token()).isEqualTo(grant.token().next());
    }

    @Test
    void listOfManyRecordsDropsNoObservationOfOneWhoWaits() {
        Observations observations = new Observations(contender.ticker, contender.clock);
        observations.unchanged("record", "1");
        contender.ticker.advance(TTL);
        for (int i = 0; i < 10_001; i++) {
            observations.unchangedInList("record " + i, "1");
        }
        assertThat(observations.unchanged("record", "1")).isEqualTo(TTL);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void commandsThatRunForAMomentWaitTogether() {
        Grant grant = holder.granted();
        for (int i = 0; i < 9; i++) {
            contender.startAgain(directory);
            contender.assertBusy();
            contender.ticker.advance(TTL.dividedBy(9));
        }
        contender.startAgain(directory);
        assertThat(contender.granted().token()).isEqualTo(grant.token().next());
        assertThat(contender.store.inspect(NAME).orElseThrow().state()).isEqualTo(LeaseSnapshot.State.HELD);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void observationOfAnotherStartOfTheHostDoesNotCount() throws IOException {
        for (String change : List.of("clock=", "since-nanos=", "version=", "leasehold observation", "")) {
            Grant grant = holder.granted();
            contender.startAgain(directory);
            contender.assertBusy();
            contender.ticker.advance(TTL);
            Path file = onlyFile();
            String text = Files.readString(file);
            Files.writeString(file, change.isEmpty() ? "" : text.replace(change, change + "9"));
            contender.startAgain(directory);
            contender.assertBusy();
            holder.store.release(grant, Duration.ZERO);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void observationsOnDiskAreSwept() throws IOException {
        Observations observations = new Observations(contender.ticker, contender.clock);
        observations.keepIn(directory);
        for (int i = 0; i < 600; i++) {
            observations.unchanged("record " + i, "1");
        }
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.count()).isBetween(200L, 500L);
        }
    }

    @Test
    void directoryThatCannotBeWrittenOnlyCostsTime() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        Observations observations = new Observations(contender.ticker, contender.clock);
        observations.keepIn(file.resolve("below"));
        assertThat(observations.unchanged("record", "1")).isZero();
        contender.ticker.advance(TTL);
        assertThat(observations.unchanged("record", "1")).isEqualTo(TTL);
        assertThat(observations.unchanged("record", "2")).isZero();
    }

    private Path onlyFile() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.reduce((one, two) -> {
                        throw new AssertionError("two files");
                    })
                    .orElseThrow();
        }
    }
}
