package dev.leasehold.server;

import dev.leasehold.client.message.AbandonCall;
import dev.leasehold.client.message.AcquireCall;
import dev.leasehold.client.message.ChangeAnswer;
import dev.leasehold.client.message.EraseCall;
import dev.leasehold.client.message.ForgetAnswer;
import dev.leasehold.client.message.ForgetCall;
import dev.leasehold.client.message.GrantAnswer;
import dev.leasehold.client.message.InterventionCall;
import dev.leasehold.client.message.ProblemAnswer;
import dev.leasehold.client.message.ProblemType;
import dev.leasehold.client.message.ProgressCall;
import dev.leasehold.client.message.ReleaseAnswer;
import dev.leasehold.client.message.ReleaseCall;
import dev.leasehold.client.message.RenewAnswer;
import dev.leasehold.client.message.RenewCall;
import dev.leasehold.client.message.TransferPart;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.model.ProgressReport;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.Transfer;
import dev.leasehold.model.TransferReason;
import dev.leasehold.spi.ForgetRequest;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The calls that change leases. */
final class LeaseCalls {
    private static final Duration LONGEST_TTL = Duration.ofDays(365);
    private static final Duration LONGEST_WAIT = Duration.ofHours(1);
    private static final int MOST_RENEWALS = 1000;

    private final LeaseStore store;
    private final WaitingRoom waiting;
    private final Grants grants;
    private final ServerRuns runs;

    LeaseCalls(LeaseStore store, WaitingRoom waiting) {
        this.store = store;
        this.grants = new Grants(store);
        this.runs = new ServerRuns(store.register());
        this.waiting = waiting;
    }

    void addTo(Routes routes) {
        routes.post("/v1/leases/acquire", Role.HOLDER, this::acquire)
                .post("/v1/leases/renew", Role.HOLDER, Call.answering(this::renew))
                .post("/v1/leases/release", Role.HOLDER, Call.answering(this::release))
                .post("/v1/leases/abandon", Role.HOLDER, Call.answering(this::abandon))
                .post("/v1/leases/forget", Role.OPERATOR, Call.answering(this::forget))
                .post("/v1/leases/erase-scratch", Role.OPERATOR, Call.answering(this::eraseScratch))
                .post("/v1/leases/progress", Role.HOLDER, Call.answering(this::progress))
                .post("/v1/leases/takeover", Role.OPERATOR, Call.answering(r -> intervene(r, TransferReason.TAKEOVER)))
                .post("/v1/leases/cancel", Role.OPERATOR, Call.answering(r -> intervene(r, TransferReason.CANCELLED)))
                .post("/v1/leases/repair", Role.OPERATOR, Call.answering(r -> intervene(r, TransferReason.RECOVERED)));
    }

    private void acquire(ApiRequest request, Reply reply) {
        AcquireCall call = request.body(AcquireCall.class);
        Duration wait = millis("waitMs", call.waitMs() == null ? 0 : call.waitMs(), LONGEST_WAIT);
        Waiter waiter = new Waiter(
                request.name(call.name()),
                attempt(call.attempt()),
                holder(request, call.holder()),
                ttl(call.ttlMs()),
                reply,
                request.stillAllowed(),
                Departures.channel(reply.request()));
        waiting.acquire(waiter, wait);
    }

    private Answer renew(ApiRequest request) {
        RenewCall call = request.body(RenewCall.class);
        if (call.grants().isEmpty() || call.grants().size() > MOST_RENEWALS) {
            throw new BadRequestException("grants must have 1 to " + MOST_RENEWALS + " elements");
        }
        List<RenewRequest> requests = new ArrayList<>();
        for (RenewCall.Item item : call.grants()) {
            requests.add(new RenewRequest(grants.of(request, item), millis("ttlMs", item.ttlMs(), LONGEST_TTL)));
        }
        List<Renewal> renewals = store.renew(requests);
        List<RenewAnswer.Result> results = new ArrayList<>();
        for (int i = 0; i < renewals.size(); i++) {
            results.add(RenewAnswer.Result.of(requests.get(i).grant(), renewals.get(i)));
        }
        return Answer.of(new RenewAnswer(results));
    }

    private Answer release(ApiRequest request) {
        ReleaseCall call = request.body(ReleaseCall.class);
        Grant grant = grants.of(request, call);
        if (call.reason() != null) {
            Note.of(call.reason());
        }
        Duration minHold = millis("minHoldMs", call.minHoldMs() == null ? 0 : call.minHoldMs(), LONGEST_TTL);
        Release release = store.release(grant, minHold);
        if (release instanceof Release.NotCurrent not) {
            return Grants.stale(grant, not.loss());
        }
        waiting.mayBeFree(grant.name());
        String reason = call.reason();
        if (reason != null && release instanceof Release.Released) {
            runs.released(operator(request, null), grant, Note.of(reason));
        }
        return Answer.of(
                new ReleaseAnswer(release instanceof Release.Released ? ReleaseAnswer.RELEASED : ReleaseAnswer.AGAIN));
    }

    private Answer abandon(ApiRequest request) {
        AbandonCall call = request.body(AbandonCall.class);
        LeaseName name = request.name(call.name());
        store.abandon(name, AttemptId.of(call.attempt()));
        waiting.mayBeFree(name);
        return Answer.of(new ChangeAnswer(true));
    }

    private Answer forget(ApiRequest request) {
        ForgetCall call = request.body(ForgetCall.class);
        if (call.names().isEmpty() || call.names().size() > MOST_RENEWALS) {
            throw new BadRequestException("names must have 1 to " + MOST_RENEWALS + " elements");
        }
        List<ForgetRequest> requests = new ArrayList<>();
        for (ForgetCall.Item item : call.names()) {
            requests.add(new ForgetRequest(request.name(item.name()), FencingToken.of(item.token())));
        }
        return Answer.of(ForgetAnswer.of(store.forget(requests)));
    }

    private Answer eraseScratch(ApiRequest request) {
        return Answer.of(new ChangeAnswer(
                store.eraseScratch(request.name(request.body(EraseCall.class).name()))));
    }

    private Answer progress(ApiRequest request) {
        ProgressCall call = request.body(ProgressCall.class);
        Grant grant = grants.of(request, call);
        String note = call.note();
        String checkpoint = call.checkpoint();
        ProgressReport report = store.progress(
                grant, note == null ? null : Note.of(note), checkpoint == null ? null : Checkpoint.of(checkpoint));
        return report instanceof ProgressReport.NotCurrent not
                ? Grants.stale(grant, not.loss())
                : Answer.of(new ChangeAnswer(true));
    }

    private Answer intervene(ApiRequest request, TransferReason kind) {
        Intervention move = intervention(request, request.body(InterventionCall.class), kind);
        Acquisition result = store.intervene(move);
        if (result instanceof Acquisition.Granted granted) {
            if (move.leavesFree()) {
                waiting.mayBeFree(move.name());
            }
            return Answer.of(GrantAnswer.of(
                    granted, store.id(), move.leavesFree() ? null : move.ttl().toMillis()));
        }
        if (result instanceof Acquisition.Moved moved) {
            Transfer current = moved.current();
            ProblemAnswer problem = ProblemAnswer.of(
                    ProblemType.OWNER_CHANGED, move.name() + " has another token than ifToken; nothing was changed");
            return Answer.problem(current == null ? problem : problem.withCurrent(TransferPart.of(current)));
        }
        return spent();
    }

    private static Intervention intervention(ApiRequest request, InterventionCall call, TransferReason kind) {
        boolean takeover = kind == TransferReason.TAKEOVER;
        Long ttl = call.ttlMs();
        Long above = call.above();
        if (takeover == (ttl == null)) {
            throw new BadRequestException(
                    takeover ? "the field 'ttlMs' is missing" : "the field 'ttlMs' belongs to a takeover only");
        }
        if (kind == TransferReason.CANCELLED && above != null) {
            throw new BadRequestException("the field 'above' belongs to a takeover or a repair only");
        }
        if (above != null && above < 0) {
            throw new BadRequestException("above must not be negative");
        }
        Intervention move = new Intervention(
                kind,
                request.name(call.name()),
                attempt(call.attempt()),
                operator(request, call.holder()),
                ttl == null ? Duration.ZERO : ttl(ttl),
                above == null ? 0 : above,
                Note.of(call.reason()),
                null);
        Long seen = call.ifToken();
        return seen == null ? move : move.ifTokenIs(FencingToken.of(seen));
    }

    static Answer busy(Acquisition.Busy busy, LeaseName name) {
        long left = busy.remaining().toMillis();
        return Answer.problem(ProblemAnswer.of(
                                ProblemType.BUSY, name + " is held by " + busy.holder() + " with token " + busy.token())
                        .withHolder(busy.holder().value(), busy.token().value(), left))
                .retryAfter(busy.remaining());
    }

    static Answer spent() {
        return ApiProblems.of(
                ProblemType.SPENT,
                "what this attempt was granted is over; nothing was changed. Repeat the call with a new attempt");
    }

    static AttemptId attempt(@Nullable String given) {
        return AttemptId.of(given == null ? UUID.randomUUID().toString() : given);
    }

    private static Holder holder(ApiRequest request, @Nullable String given) {
        String owner = request.caller().owner();
        return Holder.of(given != null ? given : owner != null ? owner : "http-client");
    }

    /** The history says which key an operator used, whatever the request says. */
    static Holder operator(ApiRequest request, @Nullable String given) {
        String owner = request.caller().owner();
        return owner == null || given == null ? holder(request, given) : Holder.of(given + " by " + owner);
    }

    private static Duration ttl(long millis) {
        if (millis < 1) {
            throw new BadRequestException("ttlMs must be positive");
        }
        return millis("ttlMs", millis, LONGEST_TTL);
    }

    private static Duration millis(String field, long millis, Duration most) {
        if (millis < 0 || millis > most.toMillis()) {
            throw new BadRequestException(field + " must be between 0 and " + most.toMillis());
        }
        return Duration.ofMillis(millis);
    }
}
