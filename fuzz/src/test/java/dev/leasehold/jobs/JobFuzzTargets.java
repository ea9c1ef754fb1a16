package dev.leasehold.jobs;

import dev.leasehold.fuzz.FuzzTarget;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;

/** Schedules, time zones, and job records. */
public final class JobFuzzTargets {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final String RECORD =
            """
            leasehold slots 1
            watermark=1700000000000000
            schedule=1690000000000000 Europe/Berlin 30 2 * * *
            paused=1700000000000000
            paused-by=host-1-abc
            paused-because=enough
            open=1700000000000000 nightly turn 1 0 0 1700000000000000 - 42 1700000000000001 host
            open=1700000060000000 nightly supersede 2 1 0 1700000000000000 1700000090000000 - - -
            count-ran=7
            done=1690000000000000 1690000000000000 1 ran 41 1 1690000001000000 1000 exit 0
            """;

    private JobFuzzTargets() {}

    public static List<FuzzTarget> all() {
        return List.of(
                FuzzTarget.of(
                        "cron",
                        IllegalArgumentException.class,
                        JobFuzzTargets::cron,
                        "30 2 * * *",
                        "*/5 * * * * *",
                        "0 0 L * *",
                        "0 12 * * MON#2",
                        "@daily",
                        "0 0 29 2 *"),
                FuzzTarget.of(
                        "zone", IllegalArgumentException.class, JobFuzzTargets::zone, "Europe/Berlin", "UTC", "+02:00"),
                FuzzTarget.of("job record", IllegalArgumentException.class, JobFuzzTargets::record, RECORD));
    }

    private static void cron(String text) {
        Schedule schedule = Schedule.of(text, ZoneOffset.UTC);
        Instant next = schedule.nextAfter(NOW).orElse(NOW);
        FuzzTarget.requireSame(true, schedule.latestUpTo(next).isPresent());
        FuzzTarget.requireSame(schedule, Schedule.of(schedule.cron(), schedule.zone()));
    }

    private static void zone(String text) {
        Schedule schedule = Schedule.of("30 2 * * *", Schedule.zone(text));
        FuzzTarget.requireSame(schedule.zone(), Schedule.zone(schedule.zone().getId()));
        schedule.nextAfter(NOW);
    }

    private static void record(String text) {
        JobRecord record = JobRecordText.parse(text);
        FuzzTarget.requireSame(record, JobRecordText.parse(JobRecordText.format(record)));
    }
}
