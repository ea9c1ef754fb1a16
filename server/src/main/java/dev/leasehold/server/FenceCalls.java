package dev.leasehold.server;

import dev.leasehold.client.message.FenceAnswer;
import dev.leasehold.client.message.FenceCall;
import dev.leasehold.client.message.FencePart;
import dev.leasehold.client.message.FencesAnswer;
import dev.leasehold.client.message.ProblemAnswer;
import dev.leasehold.client.message.ProblemType;
import dev.leasehold.internal.Contention;
import dev.leasehold.internal.FenceText;
import dev.leasehold.internal.Fields;
import dev.leasehold.model.Admission;
import dev.leasehold.model.FenceDecision;
import dev.leasehold.model.FenceState;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.Text;
import dev.leasehold.model.WrongFenceException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Fences that the server keeps, for resources that cannot remember a token themselves.
 *
 * <p>A fence and the write that it admits are two steps here: a caller that is paused between them
 * writes late. The caller closes that window by holding a lock of its own around both.
 */
final class FenceCalls {
    static final String PREFIX = "fences/";
    private static final String FORMAT = "leasehold-fence 1";
    private static final int MAX_RESOURCE = 300;

    private final Grants grants;
    private final CasRegister register;
    private final ServerRuns runs;

    FenceCalls(LeaseStore store) {
        this.grants = new Grants(store);
        this.register = store.register();
        this.runs = new ServerRuns(register);
    }

    void addTo(Routes routes) {
        routes.post("/v1/fences/raise", Role.HOLDER, Call.answering(request -> decide(request, false)))
                .post("/v1/fences/admit", Role.HOLDER, Call.answering(request -> decide(request, false)))
                .post("/v1/fences/admit-once", Role.HOLDER, Call.answering(request -> decide(request, true)))
                .get("/v1/fences", Call.answering(this::list), "prefix", "after", "limit")
                .get("/v1/fences/one", Call.answering(this::one), "resource");
    }

    private Answer decide(ApiRequest request, boolean once) {
        FenceCall call = request.body(FenceCall.class);
        String key = key(request, call.resource());
        Grant grant = grants.of(request, call);
        String digest = once ? digest(call) : null;
        if (!once && call.digest() != null) {
            throw new BadRequestException("the field 'digest' belongs to admit-once only");
        }
        try {
            Decided decided = Contention.system()
                    .resolve("the fence of " + call.resource(), () -> tryToDecide(call.resource(), key, grant, digest));
            if (decided.decision instanceof FenceDecision.Refuse refusal) {
                runs.refused(
                        request.caller(),
                        grant,
                        call.resource(),
                        refusal.answer().explanation());
            }
            return decided.answer;
        } catch (WrongFenceException e) {
            return ApiProblems.of(ProblemType.WRONG_FENCE, String.valueOf(e.getMessage()));
        }
    }

    /** @param decision null if the grant was refused before the fence was asked */
    private record Decided(Answer answer, @Nullable FenceDecision decision) {}

    /** Empty if another caller was faster. */
    private Optional<Decided> tryToDecide(String resource, String key, Grant grant, @Nullable String digest) {
        CasRegister.Reading before = register.read(key);
        FenceState known = before.value().map(text -> parse(resource, text)).orElse(null);
        FenceDecision decision = judge(resource, known, grant, digest);
        boolean changed = known == null || !decision.after().equals(known);
        Answer refusal = changed ? grants.refuseNeverIssued(grant) : null;
        if (refusal != null) {
            return Optional.of(new Decided(refusal, null));
        }
        if (changed
                && !register.compareAndSet(
                        key,
                        before.version(),
                        FenceText.write(FORMAT, decision.after()).format())) {
            return Optional.empty();
        }
        return Optional.of(new Decided(answer(resource, decision), decision));
    }

    private static FenceState parse(String resource, String text) {
        try {
            return FenceText.read(Fields.parse(FORMAT, text));
        } catch (IllegalArgumentException e) {
            throw new StoreCorruptException("the fence of " + resource + " is damaged: " + e.getMessage(), e);
        }
    }

    private static FenceDecision judge(
            String resource, @Nullable FenceState known, Grant grant, @Nullable String digest) {
        if (known != null) {
            return known.judge(grant, resource, digest);
        }
        FencingToken used = digest == null ? null : grant.token();
        return new FenceDecision.Admit(
                new Admission.Admitted(grant.token()), FenceState.first(grant).withOnce(used, digest));
    }

    private static Answer answer(String resource, FenceDecision decision) {
        FencePart fence = FencePart.of(resource, decision.after());
        if (decision instanceof FenceDecision.Refuse refusal) {
            return Answer.problem(
                    ProblemAnswer.of(ProblemType.STALE, refusal.answer().explanation())
                            .withFence(fence));
        }
        return Answer.of(new FenceAnswer(fence, decision instanceof FenceDecision.Repeat));
    }

    private Answer list(ApiRequest request) {
        int limit = request.limit();
        String prefix = request.prefix();
        List<String> keys = prefix == null
                ? List.of()
                : register.keys(PREFIX + prefix, PREFIX + request.parameter("after", ""), limit);
        List<FencePart> fences = new ArrayList<>();
        for (String key : keys) {
            readable(key.substring(PREFIX.length())).ifPresent(fence -> fences.add(fence.withoutAttempt()));
        }
        String last = ReadCalls.next(limit, keys);
        return Answer.of(new FencesAnswer(fences, last == null ? null : last.substring(PREFIX.length())));
    }

    /** A record that is damaged must not hide the others; asked for by its resource, it is reported. */
    private Optional<FencePart> readable(String resource) {
        try {
            return register.read(PREFIX + resource).value().map(text -> FencePart.of(resource, parse(resource, text)));
        } catch (StoreCorruptException e) {
            return Optional.empty();
        }
    }

    private Answer one(ApiRequest request) {
        String resource = request.parameter("resource");
        return register.read(key(request, resource))
                .value()
                .map(text -> FencePart.of(resource, parse(resource, text)))
                .map(fence -> request.caller().seesAttempts() ? fence : fence.withoutAttempt())
                .map(fence -> Answer.of(new FenceAnswer(fence, false)))
                .orElseGet(() -> ApiProblems.of(ProblemType.NO_SUCH_FENCE, "nobody has raised a fence of this name"));
    }

    /** The names of resources have the same prefixes as those of leases. */
    private static String key(ApiRequest request, String resource) {
        Text.printable("resource", resource, MAX_RESOURCE);
        if (!request.caller().sees(resource)) {
            throw new BadRequestException(
                    ProblemType.FORBIDDEN,
                    "the key is for resources that start with "
                            + request.caller().prefix());
        }
        return PREFIX + resource;
    }

    private static String digest(FenceCall call) {
        String digest = call.digest();
        return digest == null ? "-" : Text.printable("digest", digest, MAX_RESOURCE);
    }
}
