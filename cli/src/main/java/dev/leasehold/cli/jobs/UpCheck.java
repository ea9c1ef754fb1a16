package dev.leasehold.cli.jobs;

import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.output.Json;
import dev.leasehold.cli.output.Table;
import dev.leasehold.jobs.Job;
import dev.leasehold.jobs.file.JobFile;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code up --check}: prints the jobs of a valid file with their next slots. Opens no store. */
final class UpCheck {
    private static final int SLOTS = 3;
    private static final DateTimeFormatter LOCAL = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss xxx");

    private final Invocation invocation;

    UpCheck(Invocation invocation) {
        this.invocation = invocation;
    }

    int print(JobFile file) {
        Instant now = Instant.now();
        file.entries().forEach(entry -> UpSession.guards(entry.command(), invocation));
        List<String> problems = new ArrayList<>();
        file.entries().forEach(entry -> problems.addAll(JobCommandLookup.problems(entry.command(), invocation)));
        if (!problems.isEmpty()) {
            problems.forEach(invocation.console()::error);
            return ExitCode.USAGE;
        }
        Table table = new Table("JOB", "SCHEDULE", "ZONE", "NEXT SLOTS");
        List<Job> jobs = file.jobs(command -> run -> {});
        for (Job job : jobs) {
            List<Instant> next = next(job, now);
            if (invocation.json()) {
                invocation
                        .console()
                        .print(new Json()
                                .put("job", job.name())
                                .put("schedule", job.schedule().cron())
                                .put("zone", job.schedule().zone().getId())
                                .put(
                                        "next",
                                        next.stream().map(Instant::toString).toList())
                                .toString());
            }
            for (int i = 0; i < next.size(); i++) {
                String local = LOCAL.format(next.get(i).atZone(job.schedule().zone()));
                table.row(
                        i == 0 ? job.name().value() : "",
                        i == 0 ? job.schedule().cron() : "",
                        i == 0 ? job.schedule().zone().getId() : "",
                        local);
            }
        }
        if (!invocation.json()) {
            table.lines().forEach(invocation.console()::print);
        }
        CatchUpNotes.say(invocation.console(), jobs);
        return ExitCode.OK;
    }

    private static List<Instant> next(Job job, Instant now) {
        List<Instant> slots = new ArrayList<>();
        Optional<Instant> slot = job.schedule().nextAfter(now);
        while (slot.isPresent() && slots.size() < SLOTS) {
            slots.add(slot.get());
            slot = job.schedule().nextAfter(slot.get());
        }
        return slots;
    }
}
