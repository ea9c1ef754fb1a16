package dev.leasehold.server;

import dev.leasehold.client.message.JobPart;
import dev.leasehold.client.message.JobsAnswer;
import dev.leasehold.client.message.PauseCall;
import dev.leasehold.client.message.ProblemType;
import dev.leasehold.client.message.StartAnswer;
import dev.leasehold.client.message.StartCall;
import dev.leasehold.events.JobMoves;
import dev.leasehold.jobs.JobRecord;
import dev.leasehold.jobs.JobRecords;
import dev.leasehold.jobs.JobStart;
import dev.leasehold.jobs.OpenSlot;
import dev.leasehold.jobs.Outcome;
import dev.leasehold.jobs.Pause;
import dev.leasehold.jobs.StartResult;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The calls about scheduled jobs. */
final class JobCalls {
    private static final int OUTCOMES_IN_A_LIST = 1;

    private final JobRecords records;
    private final JobMoves moves;

    JobCalls(CasRegister register) {
        this.records = new JobRecords(register);
        this.moves = new JobMoves(register);
    }

    void addTo(Routes routes) {
        routes.get("/v1/jobs", Call.answering(this::list))
                .get("/v1/jobs/one", Call.answering(this::one), "name", "limit")
                .post("/v1/jobs/start", Role.OPERATOR, Call.answering(this::start))
                .post("/v1/jobs/pause", Role.OPERATOR, Call.answering(this::pause))
                .post("/v1/jobs/resume", Role.OPERATOR, Call.answering(this::resume));
    }

    private Answer list(ApiRequest request) {
        List<JobPart> jobs = new ArrayList<>();
        List<String> damaged = new ArrayList<>();
        for (LeaseName name : records.all()) {
            if (request.caller().sees(name.value())) {
                readable(name, damaged).ifPresent(page -> jobs.add(part(name, page, OUTCOMES_IN_A_LIST)));
            }
        }
        return Answer.of(new JobsAnswer(jobs, ReadCalls.orNull(damaged)));
    }

    /** A record that is damaged must not hide the others. */
    private Optional<JobRecords.Snapshot> readable(LeaseName name, List<String> damaged) {
        try {
            return records.read(name);
        } catch (StoreCorruptException e) {
            damaged.add(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private Answer one(ApiRequest request) {
        return shown(request.name(), request.limit());
    }

    private Answer shown(LeaseName name, int outcomes) {
        return records.read(name)
                .map(page -> Answer.of(part(name, page, outcomes)))
                .orElseGet(() -> unknown(name));
    }

    private Answer pause(ApiRequest request) {
        PauseCall call = request.body(PauseCall.class);
        LeaseName name = request.name(call.name());
        moves.pause(name, LeaseCalls.operator(request, call.holder()), Note.of(call.reason()));
        return shown(name, OUTCOMES_IN_A_LIST);
    }

    private Answer resume(ApiRequest request) {
        PauseCall call = request.body(PauseCall.class);
        LeaseName name = request.name(call.name());
        moves.resume(name, LeaseCalls.operator(request, call.holder()), Note.of(call.reason()));
        return shown(name, OUTCOMES_IN_A_LIST);
    }

    private Answer start(ApiRequest request) {
        StartCall call = request.body(StartCall.class);
        LeaseName name = request.name(call.name());
        AttemptId attempt = LeaseCalls.attempt(call.attempt());
        String reason = call.reason() == null ? "" : Note.of(call.reason()).value();
        Holder by = LeaseCalls.operator(request, call.holder());
        try {
            return started(name, attempt, moves.start(name, attempt, by, reason));
        } catch (StoreUnavailableException e) {
            return ApiProblems.of(e, attempt.value());
        }
    }

    private static Answer started(LeaseName name, AttemptId attempt, StartResult result) {
        if (result instanceof StartResult.Asked asked) {
            return Answer.of(
                    new StartAnswer(name.value(), asked.start().slot(), attempt.value(), asked.again(), asked.state()));
        }
        if (result instanceof StartResult.Paused paused) {
            return ApiProblems.of(
                    ProblemType.JOB_PAUSED,
                    name + " is paused by " + paused.pause().by() + " ("
                            + paused.pause().reason() + "), so it was not started");
        }
        return result instanceof StartResult.NoSuchJob
                ? unknown(name)
                : ApiProblems.of(
                        ProblemType.TOO_MANY,
                        ((StartResult.TooMany) result).waiting() + " starts of " + name
                                + " wait for a machine, so this one was refused; is a machine running?");
    }

    private static Answer unknown(LeaseName name) {
        return ApiProblems.of(ProblemType.NO_SUCH_JOB, "no machine has run a job " + name);
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
                open(name, record),
                latest.stream().map(JobCalls::outcome).toList(),
                record.counters());
    }

    /** The slots that are open, after those that a person asked for and no machine has taken up. */
    private static List<JobPart.OpenPart> open(LeaseName job, JobRecord record) {
        List<JobPart.OpenPart> open = new ArrayList<>();
        for (JobStart start : record.starts()) {
            if (start.waiting()) {
                String by = start.by().value();
                open.add(new JobPart.OpenPart(start.slot(), "asked", job.value(), 1, null, null, null, by));
            }
        }
        for (OpenSlot slot : record.open()) {
            OpenSlot.Run run = slot.run();
            open.add(new JobPart.OpenPart(
                    slot.slot(),
                    slot.isQueued() ? "queued" : "running",
                    slot.lease().value(),
                    slot.attempt(),
                    run == null ? null : run.token().value(),
                    run == null ? null : run.holder().value(),
                    run == null ? null : run.since(),
                    record.startAt(slot.slot()).map(start -> start.by().value()).orElse(null)));
        }
        return open;
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
