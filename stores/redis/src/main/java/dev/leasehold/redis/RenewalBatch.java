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
import org.jspecify.annotations.Nullable;

/** Grants that are renewed by one call of renew.lua: no name twice, and no more than the server should be held up for. */
final class RenewalBatch {
    /** One script holds up every other client of the server while it runs; this many take a few milliseconds. */
    static final int LARGEST = 1000;

    private static final int MOST_TOGETHER = 10;

    private final List<RenewRequest> requests;
    private final boolean sameTerm;

    private RenewalBatch(List<RenewRequest> requests, boolean sameTerm) {
        this.requests = requests;
        this.sameTerm = sameTerm;
    }

    /** The first requests in as many batches as may share a round trip; all of them have to be done in the time of one step. */
    static List<RenewalBatch> of(List<RenewRequest> requests) {
        List<RenewalBatch> batches = new ArrayList<>();
        int from = 0;
        while (from < requests.size() && batches.size() < MOST_TOGETHER) {
            RenewalBatch batch = first(requests.subList(from, requests.size()));
            batches.add(batch);
            from += batch.requests.size();
        }
        return batches;
    }

    private static RenewalBatch first(List<RenewRequest> requests) {
        Set<LeaseName> names = new HashSet<>(2 * Math.min(requests.size(), LARGEST));
        Duration term = requests.get(0).ttl();
        boolean sameTerm = true;
        int size = 0;
        while (size < requests.size()
                && size < LARGEST
                && names.add(requests.get(size).grant().name())) {
            sameTerm &= requests.get(size).ttl().equals(term);
            size++;
        }
        return new RenewalBatch(requests.subList(0, size), sameTerm);
    }

    RedisArguments arguments(RedisKeys keys) {
        int size = requests.size();
        RedisArguments arguments = new RedisArguments(size, 2 * size + (sameTerm ? 1 : size));
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

    /** @param exceptions what renew.lua answers: a request's number and what remains or why it is lost, for some of them */
    List<Renewal> results(List<@Nullable Object> exceptions) {
        List<Renewal> results = new ArrayList<>(requests.size());
        for (RenewRequest request : requests) {
            results.add(new Renewal.Renewed(Resp.duration(Resp.micros(request.ttl()))));
        }
        for (int i = 0; i < exceptions.size(); i += 2) {
            int index = (int) Resp.number(exceptions.get(i)) - 1;
            results.set(index, result(requests.get(index).grant(), exceptions.get(i + 1)));
        }
        return results;
    }

    private static Renewal result(Grant grant, @Nullable Object answer) {
        return answer instanceof Long remaining
                ? new Renewal.Renewed(Resp.duration(remaining))
                : new Renewal.NotRenewed(RedisRecords.loss(Resp.list(answer), grant));
    }
}
