package dev.leasehold.cli.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Stores;
import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.JsonText;
import dev.leasehold.internal.Fields;
import dev.leasehold.internal.Words;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code leasehold due} shows of jobs that no machine looks after. */
class DueCommandTest {
    @TempDir
    Path folder;

    /** The record of a job whose slots were taken care of until this moment. */
    private static void record(LeaseStore store, String job, Instant watermark, String cron) {
        String text = new Fields("leasehold slots 1")
                .put("watermark", watermark)
                .put("schedule", Words.join(watermark, "Europe/Berlin", cron))
                .format();
        assertThat(store.register().compareAndSet("slots/" + job, CasRegister.ABSENT, text))
                .isTrue();
    }

    @Test
    void aSlotThatNoMachineHasTakenUpIsOverdue() {
        CliRunner cli = CliRunner.withStore(folder.resolve("store"));
        Instant hour = Instant.now().truncatedTo(ChronoUnit.HOURS);
        Instant watermark = hour.minus(Duration.ofHours(2));
        try (LeaseStore store = Stores.open("file:" + folder.resolve("store"))) {
            record(store, "forgotten", watermark, "0 * * * *");
            record(store, "looked-after", Instant.now(), "0 0 1 1 *");
        }

        String lines = cli.run("due", "forgotten").out();
        assertThat(lines)
                .contains("forgotten: 0 * * * * Europe/Berlin, next slot ")
                .contains("  OVERDUE since " + shown(watermark.plus(Duration.ofHours(1))))
                .contains("no machine has taken this slot up. Is 'leasehold up' running");
        assertThat(JsonText.object(cli.run("due", "forgotten", "--json").out()))
                .containsEntry(
                        "overdueSince", watermark.plus(Duration.ofHours(1)).toString());

        assertThat(cli.run("due", "looked-after").out()).doesNotContain("OVERDUE");
        assertThat(JsonText.object(cli.run("due", "looked-after", "--json").out()))
                .doesNotContainKey("overdueSince");
        assertThat(cli.run("pause", "forgotten", "--reason", "a holiday").code())
                .isZero();
        assertThat(cli.run("due", "forgotten").out()).contains("paused").doesNotContain("OVERDUE");
    }

    private static String shown(Instant instant) {
        return SlotLog.at(instant, ZoneId.of("Europe/Berlin"));
    }
}
