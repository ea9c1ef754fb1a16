package dev.leasehold.server;

import dev.leasehold.internal.Fields;
import dev.leasehold.internal.Words;
import dev.leasehold.model.FencingToken;
import dev.leasehold.spi.CasRegister;
import java.time.Duration;
import java.time.Instant;

/** The records of jobs as machines would have left them after a night, without waiting for it. */
final class NightJobs {
    private static final Duration HOUR = Duration.ofHours(1);

    private final CasRegister register;
    private final Instant morning;

    NightJobs(CasRegister register, Instant morning) {
        this.register = register;
        this.morning = morning;
    }

    void tell() {
        skippedLastNight();
        overdue();
        Fields paused = job(morning, "UTC", "*/15 * * * *");
        paused.put("paused", morning.minus(HOUR));
        paused.put("paused-by", "alice").put("paused-because", "the mail server moves");
        write("mail/digest", paused);
    }

    private void skippedLastNight() {
        Fields job = job(morning, "Europe/Berlin", "30 2 * * *");
        String why = "busy: held by alice with token 88 since 2026-11-16T17:05:00Z";
        job.put("done", outcome(Instant.parse("2026-11-17T01:30:00Z"), "skipped", null, 0, why));
        for (int day = 1; day < 89; day++) {
            Instant slot = Instant.parse("2026-11-16T01:30:00Z").minus(Duration.ofDays(day - 1L));
            long took = 1000L * (1300 + day * 37 % 500 + (90 - day) * 4L);
            if (day == 23) {
                job.put("done", outcome(slot, "dropped", null, 0, "missed while no machine ran"));
            } else if (day == 1 || day == 40) {
                job.put("done", outcome(slot, "failed", 89L - day, took, "exit 1: the disk is full"));
            } else {
                job.put("done", outcome(slot, "ran", 89L - day, took, ""));
            }
        }
        write("nightly", job);
    }

    private void overdue() {
        Fields job = job(morning.minus(Duration.ofHours(2)), "UTC", "0 * * * *");
        for (int hour = 3; hour < 40; hour++) {
            Instant slot = Instant.parse("2026-11-17T08:00:00Z").minus(Duration.ofHours(hour));
            job.put("done", outcome(slot, "ran", 400L - hour, 45_000 + hour * 900L % 7000, ""));
        }
        write("sync/catalogue", job);
    }

    void running(String name, FencingToken token, String holder) {
        Instant slot = Instant.parse("2026-11-17T07:00:00Z");
        Instant since = morning.minus(Duration.ofMinutes(9));
        Fields job = job(morning, "UTC", "0 1-23/3 * * *");
        job.put("open", Words.join(slot, name, "turn", 1, 0, 0, slot, null, token, since, holder));
        write(name, job);
    }

    private Fields job(Instant watermark, String zone, String cron) {
        return new Fields("leasehold slots 1")
                .put("watermark", watermark)
                .put("schedule", Words.join(morning.minus(Duration.ofDays(90)), zone, cron));
    }

    /** @param token null if it did not run */
    private static String outcome(Instant slot, String kind, Long token, long took, String reason) {
        int attempt = token == null ? 0 : 1;
        return Words.join(slot, slot, 1, kind, token, attempt, slot.plusMillis(took), took, reason);
    }

    private void write(String job, Fields record) {
        register.compareAndSet("slots/" + job, register.read("slots/" + job).version(), record.format());
    }
}
