package dev.leasehold.server;

import dev.leasehold.client.message.JobPart;
import dev.leasehold.client.message.JobsAnswer;
import dev.leasehold.client.message.PauseCall;
import dev.leasehold.client.message.ProblemType;
import dev.leasehold.jobs.JobRecord;
import dev.leasehold.jobs.JobRecords;
import dev.leasehold.jobs.OpenSlot;
import dev.leasehold.jobs.Outcome;
import dev.leasehold.jobs.Pause;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.spi.CasRegister;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The calls about scheduled jobs. */
final class JobCalls {
    private static final int MOST_JOBS = 10_000;
    private static final int OUTCOMES_IN_A_LIST = 1;

    private final JobRecords records;

    JobCalls(CasRegister register) {
        this.records = new JobRecords(register);
    }

    void addTo(Routes routes) {
        routes.get("/v1/jobs", Call.answering(this::list))
                .get("/v1/jobs/one", Call.answering(this::one), "name", "limit")
                .post("/v1/jobs/pause", Role.OPERATOR, Call.answering(this::pause))
                .post("/v1/jobs/resume", Role.OPERATOR, Call.answering(this::resume));
    }

    private Answer list(ApiRequest request) {
        List<JobPart> jobs = new ArrayList<>();
        for (LeaseName name : records.jobs(MOST_JOBS)) {
            if (request.caller().sees(name.value())) {
                readable(name).ifPresent(page -> jobs.add(part(name, page, OUTCOMES_IN_A_LIST)));
            }
        }
        return Answer.of(new JobsAnswer(jobs));
    }

    /** A record that is damaged must not hide the others; asked for by its name, it is reported. */
    private Optional<JobRecords.Snapshot> readable(LeaseName name) {
        try {
            return records.read(name);
        } catch (StoreCorruptException e) {
            return Optional.empty();
        }
    }

    private Answer one(ApiRequest request) {
        return shown(request.name(), request.limit());
    }

    private Answer shown(LeaseName name, int outcomes) {
        return records.read(name)
                .map(page -> Answer.of(part(name, page, outcomes)))
                .orElseGet(() -> ApiProblems.of(ProblemType.NO_SUCH_JOB, "no machine has run a job " + name));
    }

    private Answer pause(ApiRequest request) {
        PauseCall call = request.body(PauseCall.class);
        LeaseName name = request.name(call.name());
        Note reason = Note.of(call.reason());
        Holder by = LeaseCalls.operator(request, call.holder());
        if (records.read(name).isPresent()) {
            records.pause(name, by, reason);
        }
        return shown(name, OUTCOMES_IN_A_LIST);
    }

    private Answer resume(ApiRequest request) {
        PauseCall call = request.body(PauseCall.class);
        LeaseName name = request.name(call.name());
        Note.of(call.reason());
        if (records.read(name).isPresent()) {
            records.resume(name);
        }
        return shown(name, OUTCOMES_IN_A_LIST);
    }

    private static JobPart part(LeaseName name, JobRecords.Snapshot page, int limit) {
        JobRecord record = page.record();
        JobRecord.Known known =
                record.schedules().isEmpty() ? null : record.schedules().get(0);
        Pause pause = record.pause();
        List<Outcome> latest =
                record.outcomes().subList(0, Math.min(limit, record.outcomes().size()));
        return new JobPart(
                name.value(),
                known == null ? null : known.cron(),
                known == null ? null : known.zone(),
                page.schedule()
                        .flatMap(schedule -> schedule.nextAfter(page.at()))
                        .orElse(null),
                page.overdue().toMillis(),
                pause == null
                        ? null
                        : new JobPart.PausePart(
                                pause.since(),
                                pause.by().value(),
                                pause.reason().value()),
                record.open().stream().map(JobCalls::open).toList(),
                latest.stream().map(JobCalls::outcome).toList(),
                record.counters());
    }

    private static JobPart.OpenPart open(OpenSlot slot) {
        OpenSlot.Run run = slot.run();
        return new JobPart.OpenPart(
                slot.slot(),
                slot.isQueued() ? "queued" : "running",
                slot.lease().value(),
                slot.attempt(),
                run == null ? null : run.token().value(),
                run == null ? null : run.holder().value(),
                run == null ? null : run.since());
    }

    private static JobPart.OutcomePart outcome(Outcome outcome) {
        return new JobPart.OutcomePart(
                outcome.from(),
                outcome.to(),
                outcome.slots(),
                outcome.kind().word(),
                outcome.reason(),
                outcome.at(),
                outcome.token() == null ? null : outcome.token().value(),
                outcome.attempt(),
                outcome.took().toMillis());
    }
}
