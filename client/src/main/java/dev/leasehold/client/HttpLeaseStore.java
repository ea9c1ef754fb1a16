package dev.leasehold.client;

import dev.leasehold.client.ServerConnection.Repeat;
import dev.leasehold.client.message.AbandonCall;
import dev.leasehold.client.message.AcquireCall;
import dev.leasehold.client.message.ChangeAnswer;
import dev.leasehold.client.message.EraseCall;
import dev.leasehold.client.message.ForgetAnswer;
import dev.leasehold.client.message.ForgetCall;
import dev.leasehold.client.message.GrantAnswer;
import dev.leasehold.client.message.GrantPart;
import dev.leasehold.client.message.HistoryAnswer;
import dev.leasehold.client.message.InterventionCall;
import dev.leasehold.client.message.LeaseAnswer;
import dev.leasehold.client.message.LeasesAnswer;
import dev.leasehold.client.message.LossPart;
import dev.leasehold.client.message.Millis;
import dev.leasehold.client.message.NamesAnswer;
import dev.leasehold.client.message.ProblemAnswer;
import dev.leasehold.client.message.ProblemType;
import dev.leasehold.client.message.ProgressCall;
import dev.leasehold.client.message.ReleaseAnswer;
import dev.leasehold.client.message.ReleaseCall;
import dev.leasehold.client.message.RenewAnswer;
import dev.leasehold.client.message.RenewCall;
import dev.leasehold.client.message.StoreAnswer;
import dev.leasehold.client.message.TransferPart;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Forgetting;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Note;
import dev.leasehold.model.ProgressReport;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.ForgetRequest;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The store of a Leasehold server, over HTTP.
 *
 * <p>A call whose answer was lost is sent again with the same attempt id, to another server if the
 * URL names several, so the restart of a server costs no lease. A change of the register is not
 * repeated: its outcome is then unknown to the caller.
 */
public final class HttpLeaseStore implements LeaseStore {
    /** The most grants in one call: it stays well below the largest body that a server accepts. */
    private static final int MOST_RENEWALS = 100;

    private static final int MOST_FORGOTTEN = 200;

    private final ServerConnection server;
    private final HttpRegister register;
    private final StoreAnswer store;
    private final StoreId id;

    private HttpLeaseStore(ServerConnection server) {
        this.server = server;
        this.register = new HttpRegister(server);
        this.store = server.get("/v1/store").as(StoreAnswer.class);
        this.id = StoreId.of(store.id());
    }

    /**
     * Connects to a server.
     *
     * @param url {@code http://host:port}; several servers of the same store are separated by commas
     * @throws IllegalArgumentException if the URL is malformed
     * @throws StoreUnavailableException if the server, or the store behind it, does not answer
     */
    public static HttpLeaseStore open(String url) {
        return new HttpLeaseStore(new ServerConnection(ServerAddress.parse(url)));
    }

    @Override
    public StoreId id() {
        return id;
    }

    @Override
    public Acquisition acquire(LeaseName name, AttemptId attempt, Holder holder, Duration ttl) {
        AcquireCall call = new AcquireCall(name.value(), Millis.up(ttl), holder.value(), attempt.value(), null);
        return owned(server.post("/v1/leases/acquire", call, Repeat.SAFE));
    }

    @Override
    public Acquisition intervene(Intervention move) {
        String path =
                switch (move.kind()) {
                    case TAKEOVER -> "/v1/leases/takeover";
                    case CANCELLED -> "/v1/leases/cancel";
                    default -> "/v1/leases/repair";
                };
        return owned(server.post(path, InterventionCall.of(move), Repeat.SAFE));
    }

    private Acquisition owned(ServerReply reply) {
        if (reply.is(ProblemType.BUSY)) {
            ProblemAnswer problem = reply.problem();
            return understood(() -> new Acquisition.Busy(
                    FencingToken.of(present(problem.token())),
                    Holder.of(present(problem.holder())),
                    Duration.ofMillis(present(problem.expiresInMs()))));
        }
        if (reply.is(ProblemType.SPENT)) {
            return new Acquisition.Spent();
        }
        if (reply.is(ProblemType.OWNER_CHANGED)) {
            TransferPart current = reply.problem().current();
            return understood(() -> new Acquisition.Moved(current == null ? null : current.toTransfer()));
        }
        return understood(reply.as(GrantAnswer.class)::toGranted);
    }

    @Override
    public List<Renewal> renew(List<RenewRequest> requests) {
        List<Renewal> renewals = new ArrayList<>(requests.size());
        for (int from = 0; from < requests.size(); from += MOST_RENEWALS) {
            renewals.addAll(renewSome(requests.subList(from, Math.min(from + MOST_RENEWALS, requests.size()))));
        }
        return renewals;
    }

    private List<Renewal> renewSome(List<RenewRequest> requests) {
        RenewCall call = new RenewCall(requests.stream().map(RenewCall.Item::of).toList());
        RenewAnswer answer = server.post("/v1/leases/renew", call, Repeat.SAFE).as(RenewAnswer.class);
        if (answer.results().size() != requests.size()) {
            throw new StoreUnavailableException(
                    "the server answered for " + answer.results().size() + " leases instead of " + requests.size()
                            + "; the outcome of the renewal is unknown");
        }
        return understood(() ->
                answer.results().stream().map(RenewAnswer.Result::toRenewal).toList());
    }

    @Override
    public Release release(Grant grant, Duration minHold) {
        ReleaseCall call = new ReleaseCall(
                grant.name().value(),
                grant.token().value(),
                GrantPart.attemptOf(grant),
                GrantPart.storeOf(grant),
                Millis.up(minHold),
                null);
        ServerReply reply = server.post("/v1/leases/release", call, Repeat.SAFE);
        if (reply.is(ProblemType.STALE)) {
            return new Release.NotCurrent(loss(reply));
        }
        return reply.as(ReleaseAnswer.class).outcome().equals(ReleaseAnswer.AGAIN)
                ? new Release.AlreadyReleased()
                : new Release.Released();
    }

    @Override
    public void abandon(LeaseName name, AttemptId attempt) {
        server.post("/v1/leases/abandon", new AbandonCall(name.value(), attempt.value()), Repeat.SAFE)
                .as(ChangeAnswer.class);
    }

    @Override
    public ProgressReport progress(Grant grant, @Nullable Note note, @Nullable Checkpoint checkpoint) {
        ProgressCall call = new ProgressCall(
                grant.name().value(),
                grant.token().value(),
                GrantPart.attemptOf(grant),
                GrantPart.storeOf(grant),
                note == null ? null : note.value(),
                checkpoint == null ? null : checkpoint.value());
        ServerReply reply = server.post("/v1/leases/progress", call, Repeat.SAFE);
        if (reply.is(ProblemType.STALE)) {
            return new ProgressReport.NotCurrent(loss(reply));
        }
        reply.as(ChangeAnswer.class);
        return new ProgressReport.Noted();
    }

    private static Loss loss(ServerReply reply) {
        LossPart loss = reply.problem().loss();
        return understood(() -> present(loss).toLoss());
    }

    @Override
    public Optional<LeaseSnapshot> inspect(LeaseName name) {
        ServerReply reply = server.get("/v1/leases/one", "name", name.value());
        return reply.is(ProblemType.NO_SUCH_LEASE)
                ? Optional.empty()
                : Optional.of(understood(reply.as(LeaseAnswer.class)::toSnapshot));
    }

    @Override
    public List<LeaseSnapshot> list(String prefix, String after, int limit) {
        List<LeaseAnswer> leases = Pages.read(after, limit, (start, most) -> {
            LeasesAnswer page = page("/v1/leases", prefix, start, most).as(LeasesAnswer.class);
            return new Pages.Page<>(page.leases(), page.next());
        });
        return understood(() -> leases.stream().map(LeaseAnswer::toSnapshot).toList());
    }

    @Override
    public List<LeaseName> names(String prefix, String after, int limit) {
        List<String> names = Pages.read(after, limit, (start, most) -> {
            NamesAnswer page = page("/v1/leases/names", prefix, start, most).as(NamesAnswer.class);
            return new Pages.Page<>(page.names(), page.next());
        });
        return understood(() -> names.stream().map(LeaseName::of).toList());
    }

    private ServerReply page(String path, String prefix, String after, int limit) {
        return server.get(path, "prefix", prefix, "after", after, "limit", Integer.toString(limit));
    }

    @Override
    public List<Transfer> history(LeaseName name, int limit) {
        HistoryAnswer answer = server.get(
                        "/v1/leases/history",
                        "name",
                        name.value(),
                        "limit",
                        Integer.toString(Math.min(limit, Pages.LONGEST)))
                .as(HistoryAnswer.class);
        return understood(
                () -> answer.transfers().stream().map(TransferPart::toTransfer).toList());
    }

    @Override
    public CasRegister register() {
        return register;
    }

    @Override
    public List<Forgetting> forget(List<ForgetRequest> requests) {
        List<Forgetting> answers = new ArrayList<>(requests.size());
        for (int from = 0; from < requests.size(); from += MOST_FORGOTTEN) {
            List<ForgetRequest> part = requests.subList(from, Math.min(requests.size(), from + MOST_FORGOTTEN));
            ForgetCall call =
                    new ForgetCall(part.stream().map(ForgetCall.Item::of).toList());
            ForgetAnswer answer =
                    server.post("/v1/leases/forget", call, Repeat.SAFE).as(ForgetAnswer.class);
            answers.addAll(understood(answer::toForgettings));
        }
        return answers;
    }

    @Override
    public long floor() {
        Long floor = server.get("/v1/store").as(StoreAnswer.class).floor();
        return floor == null ? 0 : floor;
    }

    @Override
    public boolean eraseScratch(LeaseName name) {
        LeaseStore.requireScratch(name);
        return server.post("/v1/leases/erase-scratch", new EraseCall(name.value()), Repeat.SAFE)
                .as(ChangeAnswer.class)
                .changed();
    }

    @Override
    public Optional<String> atomicBecause() {
        return Optional.ofNullable(store.atomicBecause());
    }

    @Override
    public List<String> warnings() {
        return store.warnings();
    }

    @Override
    public void close() {
        server.close();
    }

    /** Reads values from an answer. A server that sends impossible ones is not believed. */
    private static <T> T understood(Supplier<T> reading) {
        try {
            return reading.get();
        } catch (IllegalArgumentException e) {
            throw new StoreUnavailableException(
                    "the server sent an answer that cannot be understood: " + e.getMessage(), e);
        }
    }

    private static <T> T present(@Nullable T field) {
        if (field == null) {
            throw new IllegalArgumentException("a field is missing");
        }
        return field;
    }
}
