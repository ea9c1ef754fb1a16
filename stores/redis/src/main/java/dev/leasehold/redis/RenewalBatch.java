package dev.leasehold.redis;

import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Renewal;
import dev.leasehold.spi.RenewRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Grants that one call of renew.lua renews: no name twice, and no more than {@link #MAX_SIZE}. */
final class RenewalBatch {
    /**
     * A script blocks every other client of the server while it runs; this many grants take a few
     * milliseconds.
     */
    static final int MAX_SIZE = 1000;

    private static final int MAX_PER_ROUND_TRIP = 10;

    private final List<RenewRequest> requests;
    private final boolean sameTerm;

    private RenewalBatch(List<RenewRequest> requests, boolean sameTerm) {
        this.requests = requests;
        this.sameTerm = sameTerm;
    }

    /**
     * Splits the first requests into batches that share a round trip. Together they must finish
     * within the timeout of one step.
     */
    static List<RenewalBatch> of(List<RenewRequest> requests) {
        List<RenewalBatch> batches = new ArrayList<>();
        int from = 0;
        while (from < requests.size() && batches.size() < MAX_PER_ROUND_TRIP) {
            RenewalBatch batch = first(requests.subList(from, requests.size()));
            batches.add(batch);
            from += batch.requests.size();
        }
        return batches;
    }

    private static RenewalBatch first(List<RenewRequest> requests) {
        Set<LeaseName> names = new HashSet<>(2 * Math.min(requests.size(), MAX_SIZE));
        Duration term = requests.get(0).ttl();
        boolean sameTerm = true;
        int size = 0;
        while (size < requests.size()
                && size < MAX_SIZE
                && names.add(requests.get(size).grant().name())) {
            sameTerm &= requests.get(size).ttl().equals(term);
            size++;
        }
        return new RenewalBatch(requests.subList(0, size), sameTerm);
    }

    ScriptArguments arguments(RedisKeys keys) {
        int size = requests.size();
        ScriptArguments arguments = new ScriptArguments(size, 2 * size + (sameTerm ? 1 : size));
        for (RenewRequest request : requests) {
            arguments.add(keys.lease(request.grant().name().value()));
        }
        for (RenewRequest request : requests) {
            arguments.add(RedisRecords.proof(request.grant()));
        }
        for (RenewRequest request : sameTerm ? requests.subList(0, 1) : requests) {
            arguments.add(request.ttl());
        }
        return arguments;
    }

    /**
     * @param exceptions the answer of renew.lua: pairs of a request's number and the remaining time
     *     or the reason of the loss, for some requests
     * @param floor read only if the store has no record of a name
     */
    List<Renewal> results(List<@Nullable Object> exceptions, LongSupplier floor) {
        List<Renewal> results = new ArrayList<>(requests.size());
        for (RenewRequest request : requests) {
            results.add(new Renewal.Renewed(Resp.duration(Resp.micros(request.ttl()))));
        }
        for (int i = 0; i < exceptions.size(); i += 2) {
            int index = (int) Resp.number(exceptions.get(i)) - 1;
            results.set(index, result(requests.get(index).grant(), exceptions.get(i + 1), floor));
        }
        return results;
    }

    private static Renewal result(Grant grant, @Nullable Object answer, LongSupplier floor) {
        return answer instanceof Long remaining
                ? new Renewal.Renewed(Resp.duration(remaining))
                : new Renewal.NotRenewed(RedisRecords.loss(Resp.list(answer), grant, floor));
    }
}
