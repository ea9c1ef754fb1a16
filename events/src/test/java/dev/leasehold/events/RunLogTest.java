package dev.leasehold.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.store.MemoryRegister;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The log of runs keeps the last lines of the latest failed runs. */
class RunLogTest {
    private static final LeaseName NAME = LeaseName.of("job");

    private final CasRegister register = new MemoryRegister(InstantSource.system());
    private final RunLog log = new RunLog(register);

    private static RunEntry entry(long token, String kind) {
        return new RunEntry(
                Instant.EPOCH, kind, FencingToken.of(token), Holder.of("here"), Duration.ofSeconds(1), "d".repeat(400));
    }

    @Test
    void theLastLinesBelongToTheirRun() {
        log.append(NAME, entry(1, "failed").printed(List.of("first", "  a = b", "")));
        log.append(NAME, entry(2, "ran"));

        List<RunEntry> runs = log.of(NAME).newestFirst();
        assertThat(runs.get(0).output()).isEmpty();
        assertThat(runs.get(1).output()).containsExactly("first", "  a = b", "");
    }

    @Test
    void theRecordFitsIntoARegisterHoweverMuchIsPrinted() {
        List<String> flood = List.of("\u2713".repeat(3000), "\u2713".repeat(3000));
        for (int i = 1; i <= 60; i++) {
            log.append(NAME, entry(i, "failed").printed(flood));
        }

        assertThat(log.of(NAME).newestFirst().stream()
                        .filter(run -> !run.output().isEmpty())
                        .map(RunEntry::token))
                .containsExactly(
                        FencingToken.of(60),
                        FencingToken.of(59),
                        FencingToken.of(58),
                        FencingToken.of(57),
                        FencingToken.of(56));
        assertThat(register.read("runs/job").value().orElseThrow().getBytes(StandardCharsets.UTF_8).length)
                .isLessThan(CasRegister.MAX_VALUE_BYTES);
    }
}
