package dev.leasehold.cli.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.output.Console;
import dev.leasehold.events.RunOrigin;
import dev.leasehold.jobs.EndedAttempt;
import dev.leasehold.jobs.EndedAttempt.Kind;
import dev.leasehold.jobs.EndedAttempt.Retry;
import dev.leasehold.jobs.Slot;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.store.MemoryRegister;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class SlotReporterTest {
    private static final Slot SLOT = new Slot(LeaseName.of("sync"), Instant.parse("2026-01-01T00:00:00Z"));

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final Console console = console();
    private final SlotReporter reporter = new SlotReporter(
            console,
            new MemoryRegister(InstantSource.system()),
            Holder.of("test"),
            new RunningSlots(console),
            name -> new RunOrigin("up", "me", "here", "/"));

    @Test
    void aFailureSaysWhichRetryFollowsAndWhen() {
        reporter.again(SLOT, new EndedAttempt(3, Kind.FAILED, "exit 1", new Retry(2, 2, Duration.ofSeconds(1))));

        assertThat(said()).contains("sync@2026-01-01T00:00:00Z attempt 3 failed (exit 1); retry 2 of 2 in 1s");
    }

    @Test
    void anAttemptThatUsesNoRetrySaysWhoContinues() {
        reporter.again(SLOT, new EndedAttempt(1, Kind.LOST, "its lease expired", null));
        reporter.again(SLOT, new EndedAttempt(2, Kind.STOPPED, "this machine was stopped", null));
        reporter.again(SLOT, new EndedAttempt(3, Kind.UNRECORDED, "its end could not be recorded", null));

        assertThat(said())
                .contains(
                        "attempt 1 was cut off (its lease expired); this machine or another continues the slot",
                        "attempt 2 was stopped here; another machine continues the slot",
                        "attempt 3 ended, but the store did not record it;"
                                + " a machine that reaches the store continues the slot")
                .doesNotContain("retry");
    }

    private String said() {
        return said.toString(StandardCharsets.UTF_8);
    }

    private Console console() {
        PrintStream stream = new PrintStream(said, true, StandardCharsets.UTF_8);
        return new Console(InputStream.nullInputStream(), stream, stream);
    }
}
