package dev.leasehold.server;

import dev.leasehold.client.message.ProblemType;
import dev.leasehold.client.message.RetryCall;
import dev.leasehold.client.message.WorkAnswer;
import dev.leasehold.client.message.WorkCall;
import dev.leasehold.client.message.WorkListAnswer;
import dev.leasehold.client.message.WorkPart;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.work.Claim;
import dev.leasehold.work.Fingerprint;
import dev.leasehold.work.Reopening;
import dev.leasehold.work.WorkClaim;
import dev.leasehold.work.WorkId;
import dev.leasehold.work.WorkItem;
import dev.leasehold.work.WorkKey;
import dev.leasehold.work.WorkLedger;
import dev.leasehold.work.WorkResult;
import dev.leasehold.work.WorkState;
import dev.leasehold.work.WorkStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The calls about work that must be completed once. */
final class WorkCalls {
    private final Grants grants;
    private final WorkLedger ledger;

    WorkCalls(LeaseStore store) {
        this.grants = new Grants(store);
        this.ledger = WorkLedger.over(store);
    }

    void addTo(Routes routes) {
        routes.post("/v1/work/claim", Role.HOLDER, Call.answering(this::claim))
                .post("/v1/work/checkpoint", Role.HOLDER, Call.answering(this::checkpoint))
                .post("/v1/work/complete", Role.HOLDER, Call.answering(this::complete))
                .post("/v1/work/fail", Role.HOLDER, Call.answering(this::fail))
                .post("/v1/work/retry", Role.OPERATOR, Call.answering(this::retry))
                .get("/v1/work", Call.answering(this::list), "name", "after", "limit")
                .get("/v1/work/all", Call.answering(this::all), "prefix", "after", "limit", "state")
                .get("/v1/work/one", Call.answering(this::one), "name", "key");
    }

    private Answer claim(ApiRequest request) {
        WorkCall call = request.body(WorkCall.class);
        refuse("checkpoint", call.checkpoint());
        refuseEnd(call);
        String fingerprint = call.fingerprint();
        Grant grant = grants.of(request, call);
        Claim claim = ledger.claim(grant, id(request, call), fingerprint == null ? null : Fingerprint.of(fingerprint));
        if (claim instanceof Claim.Claimed claimed) {
            return answer("claimed", false, claimed.item());
        }
        if (claim instanceof Claim.AlreadyDone done) {
            return answer("done", false, done.item());
        }
        if (claim instanceof Claim.NotCurrent not) {
            return Grants.stale(grant, not.loss());
        }
        Claim.Refused refused = (Claim.Refused) claim;
        ProblemType type = refused instanceof Claim.Taken
                ? ProblemType.RUNNING_ELSEWHERE
                : refused instanceof Claim.OtherInput ? ProblemType.OTHER_INPUT : ProblemType.STALE;
        return ApiProblems.of(type, refused.explanation());
    }

    private Answer checkpoint(ApiRequest request) {
        WorkCall call = request.body(WorkCall.class);
        refuse("fingerprint", call.fingerprint());
        refuseEnd(call);
        Checkpoint checkpoint = Checkpoint.of(required("checkpoint", call.checkpoint()));
        return step(request, call, claim -> ledger.checkpoint(claim, checkpoint));
    }

    private Answer complete(ApiRequest request) {
        WorkCall call = request.body(WorkCall.class);
        refuse("fingerprint", call.fingerprint());
        refuse("checkpoint", call.checkpoint());
        refuse("error", call.error());
        String result = call.result();
        List<String> effects = call.effects();
        return step(
                request,
                call,
                claim -> ledger.complete(
                        claim, result == null ? null : WorkResult.of(result), effects == null ? List.of() : effects));
    }

    private Answer fail(ApiRequest request) {
        WorkCall call = request.body(WorkCall.class);
        refuse("fingerprint", call.fingerprint());
        refuse("checkpoint", call.checkpoint());
        refuse("result", call.result());
        refuse("effects", call.effects());
        Note error = Note.of(required("error", call.error()));
        return step(request, call, claim -> ledger.fail(claim, error));
    }

    private Answer step(ApiRequest request, WorkCall call, Function<WorkClaim, WorkStep> step) {
        WorkId id = id(request, call);
        Optional<WorkClaim> claim = ledger.claimOf(grants.of(request, call), id);
        if (claim.isEmpty()) {
            return ApiProblems.of(
                    ProblemType.STALE,
                    "token " + call.token() + " of " + call.name() + " has no claim on key " + id.key()
                            + ": it was claimed by another run since, or never by this one; nothing was changed");
        }
        WorkStep result = step.apply(claim.get());
        if (result instanceof WorkStep.Accepted accepted) {
            return answer("accepted", false, accepted.item());
        }
        return result instanceof WorkStep.Repeated repeated
                ? answer("accepted", true, repeated.item())
                : ApiProblems.of(ProblemType.STALE, ((WorkStep.Stale) result).explanation());
    }

    private Answer list(ApiRequest request) {
        int limit = request.limit();
        LeaseName name = request.name();
        String after = request.parameter("after", "");
        List<WorkPart> items =
                ledger.list(name, after.isEmpty() ? null : new WorkId(name, WorkKey.of(after)), limit).stream()
                        .map(WorkCalls::part)
                        .toList();
        return Answer.of(new WorkListAnswer(
                items, ReadCalls.next(limit, items.stream().map(WorkPart::key).toList()), null));
    }

    /** The items of all names: where the next page starts is the name and the key of the last item. */
    private Answer all(ApiRequest request) {
        int limit = request.limit();
        String prefix = request.prefix();
        String word = request.parameter("state", "");
        WorkState state = word.isEmpty() ? null : WorkState.ofWord(word);
        WorkId after = place(request.parameter("after", ""));
        List<WorkPart> items = new ArrayList<>();
        List<String> damaged = new ArrayList<>();
        boolean more = prefix != null;
        while (more && prefix != null && items.size() < limit) {
            List<WorkId> ids = ledger.idsOfPrefix(prefix, after, limit - items.size());
            more = ids.size() == limit - items.size();
            for (WorkId id : ids) {
                after = id;
                readable(id, damaged)
                        .filter(item -> state == null || item.state() == state)
                        .ifPresent(item -> items.add(part(item)));
            }
        }
        String next = more && after != null ? after.name() + "#" + after.key() : null;
        return Answer.of(new WorkListAnswer(items, next, ReadCalls.orNull(damaged)));
    }

    private static @Nullable WorkId place(String after) {
        int end = after.indexOf('#');
        if (after.isEmpty()) {
            return null;
        }
        if (end < 0) {
            throw new BadRequestException("after must be the 'next' of the page before");
        }
        return WorkId.of(after.substring(0, end), after.substring(end + 1));
    }

    /** An item that is damaged must not hide the others. */
    private Optional<WorkItem> readable(WorkId id, List<String> damaged) {
        try {
            return ledger.find(id);
        } catch (StoreCorruptException e) {
            damaged.add(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private Answer retry(ApiRequest request) {
        RetryCall call = request.body(RetryCall.class);
        WorkId id = new WorkId(request.name(call.name()), WorkKey.of(call.key()));
        Note reason = Note.of(call.reason());
        if (ledger.find(id).isEmpty()) {
            return unknown();
        }
        Reopening answer = ledger.reopen(id, reason);
        return answer instanceof Reopening.Opened opened
                ? answer("open", false, opened.item())
                : ApiProblems.of(ProblemType.RUNNING_ELSEWHERE, ((Reopening.Refused) answer).explanation());
    }

    private static Answer unknown() {
        return ApiProblems.of(ProblemType.NO_SUCH_WORK, "nobody has claimed this key");
    }

    private Answer one(ApiRequest request) {
        WorkId id = new WorkId(request.name(), WorkKey.of(request.parameter("key")));
        return ledger.find(id)
                .map(item -> answer(item.state().word(), false, item))
                .orElseGet(WorkCalls::unknown);
    }

    private static Answer answer(String outcome, boolean again, WorkItem item) {
        return Answer.of(new WorkAnswer(outcome, again, part(item)));
    }

    private static WorkPart part(WorkItem item) {
        WorkItem.Claimant by = item.by();
        return new WorkPart(
                item.id().name().value(),
                item.id().key().value(),
                item.state().word(),
                item.epoch(),
                item.attempts(),
                by == null ? null : by.grant().name().value(),
                by == null ? null : by.grant().token().value(),
                by == null ? null : by.holder().value(),
                item.since(),
                text(item.checkpoint()),
                text(item.result()),
                text(item.lastError()),
                text(item.reason()),
                text(item.fingerprint()),
                item.effects().stream()
                        .map(effect -> new WorkPart.EffectPart(effect.id(), effect.body(), effect.delivered()))
                        .toList());
    }

    private static @Nullable String text(@Nullable Object value) {
        return value == null ? null : value.toString();
    }

    private static WorkId id(ApiRequest request, WorkCall call) {
        String of = call.of();
        return new WorkId(request.name(of == null ? call.name() : of), WorkKey.of(call.key()));
    }

    private static void refuseEnd(WorkCall call) {
        refuse("result", call.result());
        refuse("effects", call.effects());
        refuse("error", call.error());
    }

    private static void refuse(String field, @Nullable Object value) {
        if (value != null) {
            throw new BadRequestException("the field '" + field + "' belongs to another call");
        }
    }

    private static String required(String field, @Nullable String value) {
        if (value == null) {
            throw new BadRequestException("the field '" + field + "' is missing");
        }
        return value;
    }
}
