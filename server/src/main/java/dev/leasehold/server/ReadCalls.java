package dev.leasehold.server;

import dev.leasehold.client.message.AccessAnswer;
import dev.leasehold.client.message.HistoryAnswer;
import dev.leasehold.client.message.LeaseAnswer;
import dev.leasehold.client.message.LeasesAnswer;
import dev.leasehold.client.message.NamesAnswer;
import dev.leasehold.client.message.ProblemType;
import dev.leasehold.client.message.StoreAnswer;
import dev.leasehold.client.message.TransferPart;
import dev.leasehold.events.EventReader;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.LeaseStore;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The calls that only read. */
final class ReadCalls {
    private static final int MOST_NAMES = 100;

    private final LeaseStore store;

    ReadCalls(LeaseStore store) {
        this.store = store;
    }

    void addTo(Routes routes) {
        routes.get("/v1/access", Call.answering(this::access))
                .get("/v1/store", Call.answering(request -> store()))
                .get("/v1/leases", Call.answering(this::list), "prefix", "after", "limit", "names")
                .get("/v1/leases/names", Call.answering(this::names), "prefix", "after", "limit")
                .get("/v1/leases/one", Call.answering(this::one), "name")
                .get("/v1/leases/history", Call.answering(this::history), "name", "limit");
    }

    private Answer store() {
        return Answer.of(new StoreAnswer(
                store.id().value(), store.atomicBecause().orElse(null), store.warnings(), store.floor()));
    }

    private Answer access(ApiRequest request) {
        Caller caller = request.caller();
        return Answer.of(
                new AccessAnswer(caller.owner(), caller.role().word(), caller.prefix(), EventReader.now(store)));
    }

    private Answer list(ApiRequest request) {
        String names = request.parameter("names", "");
        if (!names.isEmpty()) {
            return some(request, names.split(",", -1));
        }
        int limit = request.limit();
        String prefix = request.prefix();
        List<LeaseAnswer> leases = prefix == null
                ? List.of()
                : store.list(prefix, request.parameter("after", ""), limit).stream()
                        .map(lease -> shown(request, LeaseAnswer.of(lease)))
                        .toList();
        return Answer.of(new LeasesAnswer(
                leases, next(limit, leases.stream().map(LeaseAnswer::name).toList())));
    }

    /** Several leases by their names, which have no commas. Those that were never held are left out. */
    private Answer some(ApiRequest request, String[] names) {
        for (String other : List.of("prefix", "after", "limit")) {
            if (!request.parameter(other, "").isEmpty()) {
                throw new BadRequestException("the parameter 'names' allows no '" + other + "' beside it");
            }
        }
        if (names.length > MOST_NAMES) {
            throw new BadRequestException("names must be at most " + MOST_NAMES);
        }
        List<LeaseAnswer> leases = new ArrayList<>();
        for (String text : names) {
            store.inspect(request.name(text)).ifPresent(lease -> leases.add(shown(request, LeaseAnswer.of(lease))));
        }
        return Answer.of(new LeasesAnswer(leases, null));
    }

    private Answer names(ApiRequest request) {
        int limit = request.limit();
        String prefix = request.prefix();
        List<String> names = prefix == null
                ? List.of()
                : store.names(prefix, request.parameter("after", ""), limit).stream()
                        .map(LeaseName::value)
                        .toList();
        return Answer.of(new NamesAnswer(names, next(limit, names)));
    }

    /** Where the next page starts; null if this was the last one. */
    static @Nullable String next(int limit, List<String> names) {
        return names.size() < limit ? null : names.get(names.size() - 1);
    }

    /** What could not be read, so that it is missed by those who look; null if there is nothing. */
    static @Nullable List<String> orNull(List<String> damaged) {
        return damaged.isEmpty() ? null : damaged;
    }

    private Answer one(ApiRequest request) {
        LeaseName name = request.name();
        return store.inspect(name)
                .map(lease -> Answer.of(shown(request, LeaseAnswer.of(lease))))
                .orElseGet(() -> ApiProblems.of(ProblemType.NO_SUCH_LEASE, name + " was never held"));
    }

    private Answer history(ApiRequest request) {
        return Answer.of(new HistoryAnswer(store.history(request.name(), request.limit()).stream()
                .map(transfer -> shown(request, transfer))
                .toList()));
    }

    static TransferPart shown(ApiRequest request, Transfer transfer) {
        TransferPart part = TransferPart.of(transfer);
        return request.caller().seesAttempts() ? part : part.withoutAttempt();
    }

    static LeaseAnswer shown(ApiRequest request, LeaseAnswer lease) {
        return request.caller().seesAttempts() ? lease : lease.withoutAttempt();
    }
}
