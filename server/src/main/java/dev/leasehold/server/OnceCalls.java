package dev.leasehold.server;

import dev.leasehold.client.message.OnceAnswer;
import dev.leasehold.client.message.OnceCall;
import dev.leasehold.client.message.ProblemType;
import dev.leasehold.internal.SystemTicker;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.OperationId;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.work.SideEffect;
import dev.leasehold.work.SideEffect.Begun;
import dev.leasehold.work.SideEffect.Outcome;
import org.jspecify.annotations.Nullable;

/** The calls around something that must not be repeated without asking: a mail, a payment. */
final class OnceCalls {
    private final Grants grants;
    private final SideEffect effects;

    OnceCalls(LeaseStore store) {
        this.grants = new Grants(store);
        this.effects = new SideEffect(store, new SystemTicker());
    }

    void addTo(Routes routes) {
        routes.post("/v1/once/begin", Role.HOLDER, Call.answering(this::begin))
                .post("/v1/once/made", Role.HOLDER, Call.answering(request -> end(request, true)))
                .post("/v1/once/not-made", Role.HOLDER, Call.answering(request -> end(request, false)))
                .post("/v1/once/settle", Role.HOLDER, Call.answering(this::settle))
                .get("/v1/once", Call.answering(this::state), "name", "id");
    }

    private Answer begin(ApiRequest request) {
        OnceCall call = request.body(OnceCall.class);
        refuse("note", call.note());
        refuse("made", call.made());
        SideEffect.Start start = effects.begin(grants.of(request, call), OperationId.of(call.id()));
        if (start instanceof SideEffect.Start.Begins begins) {
            return begun(begins.operation());
        }
        Outcome outcome = ((SideEffect.Start.Answered) start).outcome();
        if (outcome instanceof Outcome.MadeBefore made) {
            return made(call.id(), made);
        }
        return outcome instanceof Outcome.Unknown unknown
                ? ApiProblems.of(ProblemType.OUTCOME_UNKNOWN, unknown.begun().explanation())
                : ApiProblems.of(ProblemType.STALE, ((Outcome.Refused) outcome).why());
    }

    private Answer end(ApiRequest request, boolean isMade) {
        OnceCall call = request.body(OnceCall.class);
        refuse("made", call.made());
        OperationId id = OperationId.of(call.id());
        Grant grant = grants.of(request, call);
        Begun own = effects.unsettled(grant.name()).stream()
                .filter(one -> one.operation().equals(id) && one.token().equals(grant.token()))
                .findFirst()
                .orElse(null);
        if (own == null) {
            return state(grant.name(), id, true);
        }
        effects.end(grant, own, answer(isMade, call.note()));
        return state(grant.name(), id, false);
    }

    private Answer settle(ApiRequest request) {
        OnceCall call = request.body(OnceCall.class);
        Boolean isMade = call.made();
        if (isMade == null) {
            throw new BadRequestException("the field 'made' is missing: say whether the target acted");
        }
        OperationId id = OperationId.of(call.id());
        Grant grant = grants.of(request, call);
        Answer refusal = grants.refuseNeverIssued(grant);
        if (refusal != null) {
            return refusal;
        }
        Admission admission = effects.settle(grant, id, answer(isMade, call.note()));
        return admission instanceof Admission.Refused refused
                ? ApiProblems.of(ProblemType.STALE, refused.explanation())
                : state(grant.name(), id, false);
    }

    private Answer state(ApiRequest request) {
        return state(request.name(), OperationId.of(request.parameter("id")), false);
    }

    /** @param mustBeMade whether another state than made means that the caller has begun nothing */
    private Answer state(LeaseName name, OperationId id, boolean mustBeMade) {
        Outcome outcome = effects.find(name, id).orElse(null);
        if (outcome instanceof Outcome.MadeBefore made) {
            return made(id.value(), made);
        }
        if (mustBeMade) {
            return ApiProblems.of(
                    ProblemType.STALE,
                    "this token has not begun " + id + ", or it was settled since; nothing was recorded");
        }
        return outcome instanceof Outcome.Unknown unknown
                ? Answer.of(new OnceAnswer(
                        id.value(),
                        "unknown",
                        unknown.begun().token().value(),
                        unknown.begun().at(),
                        null))
                : Answer.of(new OnceAnswer(id.value(), "none", null, null, null));
    }

    private static Answer begun(Begun begun) {
        return Answer.of(
                new OnceAnswer(begun.operation().value(), "begun", begun.token().value(), begun.at(), null));
    }

    private static Answer made(String id, Outcome.MadeBefore made) {
        return Answer.of(new OnceAnswer(id, "made", made.by().value(), null, made.text()));
    }

    private static SideEffect.Answer answer(boolean isMade, @Nullable String note) {
        return new SideEffect.Answer(isMade, note == null ? "" : note);
    }

    private static void refuse(String field, @Nullable Object value) {
        if (value != null) {
            throw new BadRequestException("the field '" + field + "' belongs to another call");
        }
    }
}
