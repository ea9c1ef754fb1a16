package dev.leasehold.redis;

import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Checkpoint;
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
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.ForgetRequest;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.spi.Watch;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol;

/**
 * Leases in Redis. Each step is one script and one round trip, judged by the server's clock.
 * Renewal takes one script for every {@value RenewalBatch#MAX_SIZE} grants, and several scripts
 * share a round trip.
 *
 * <p>Safe for use by many threads. It can promise no more than Redis does: see the package and
 * {@link #warnings()}.
 */
public final class RedisLeaseStore implements LeaseStore {
    private static final int READ_AT_ONCE = 1000;

    private final RedisClient client;
    private final SharedCalls calls;
    private final RedisKeys keys;
    private final LeaseScripts scripts;
    private final RedisRegister register;
    private final RedisWakeups wakeups;
    private final StoreId id;

    private RedisLeaseStore(RedisClient client, RedisKeys keys, StoreId id) {
        this.client = client;
        this.calls = new SharedCalls(client);
        this.scripts = new LeaseScripts(client.address().database());
        this.keys = keys;
        this.id = id;
        this.register = new RedisRegister(client, keys);
        this.wakeups = new RedisWakeups(client, keys, scripts.await, new SystemIds());
    }

    /** The content of a store that moved away, for reading. */
    static RedisLeaseStore moved(RedisClient client, RedisKeys keys, StoreId id) {
        return new RedisLeaseStore(client, keys.moved(), id);
    }

    /**
     * Connects and reads the store id.
     *
     * @param url see {@link RedisClient#connect}
     * @throws IllegalArgumentException if the URL is malformed
     * @throws dev.leasehold.model.StoreMissingException if the database contains no store
     */
    public static RedisLeaseStore open(String url) {
        return open(url, false);
    }

    /** The same, but creates the store if there is none. */
    public static RedisLeaseStore create(String url) {
        return open(url, true);
    }

    private static RedisLeaseStore open(String url, boolean create) {
        return using(url, client -> {
            RedisKeys keys = new RedisKeys(client.address().namespace());
            StoreId id = create ? RedisStoreId.create(client, keys) : RedisStoreId.read(client, keys);
            return new RedisLeaseStore(client, keys, id);
        });
    }

    static <T> T using(String url, Function<RedisClient, T> opening) {
        RedisClient client = RedisClient.connect(url);
        try {
            return opening.apply(client);
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    @Override
    public StoreId id() {
        return id;
    }

    @Override
    public Acquisition acquire(LeaseName name, AttemptId attempt, Holder holder, Duration ttl) {
        Object answer = run(
                scripts.acquire,
                name,
                new ScriptArguments(2, 5)
                        .add(keys.lease(name.value()))
                        .add(keys.history(name.value()))
                        .add(withBlank(attempt))
                        .add(withLength(holder))
                        .add(ttl));
        Object known = answer != null ? answer : run(scripts.acquire, name, ownership(10, name, attempt, holder, ttl));
        Acquisition decided = parsed(() -> acquisition(name, attempt, ttl, known));
        wakeups.answered(name, decided, ttl);
        return decided;
    }

    @Override
    public Acquisition intervene(Intervention move) {
        ScriptArguments arguments = ownership(15, move.name(), move.attempt(), move.holder(), move.ttl())
                .add(move.kind().word() + " ")
                .add(bytes(move.above()))
                .add(move.reason().value())
                .add(move.leavesFree() ? "r" : "h")
                .add(bytes(move.seen() == null ? 0 : move.seen().value()));
        return parsed(
                () -> acquisition(move.name(), move.attempt(), move.ttl(), scripts.intervene.run(client, arguments)));
    }

    /** @param name steps of one name keep their order; null for a read, which need not */
    private @Nullable Object run(LuaScript script, @Nullable LeaseName name, ScriptArguments arguments) {
        return script.run(calls, client, name, arguments);
    }

    private static byte[] bytes(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    /** The keys and arguments that acquire.lua takes for a name that may be new. */
    private ScriptArguments ownership(int room, LeaseName name, AttemptId attempt, Holder holder, Duration ttl) {
        return new ScriptArguments(5, room)
                .add(keys.lease(name.value()))
                .add(keys.history(name.value()))
                .add(keys.names())
                .add(keys.storeId())
                .add(keys.floor())
                .add(withBlank(attempt))
                .add(withLength(holder))
                .add(ttl)
                .add(name.value())
                .add(id.value());
    }

    /** In the form of the record, where a blank ends it. */
    private static String withBlank(AttemptId attempt) {
        return attempt.value() + " ";
    }

    /** Prefixed with its length, because a holder may contain any character. */
    private static String withLength(Holder holder) {
        return holder.value().length() + " " + holder.value();
    }

    /**
     * A new grant is answered with its transfer as history keeps it, everything else with a list.
     */
    private Acquisition acquisition(LeaseName name, AttemptId attempt, Duration ttl, @Nullable Object answer) {
        if (answer instanceof byte[]) {
            return granted(name, attempt, Resp.duration(Resp.micros(ttl)), answer);
        }
        List<@Nullable Object> parts = Resp.list(answer);
        switch (Resp.text(parts.get(0))) {
            case "granted" -> {
                return granted(name, attempt, Resp.duration(Resp.number(parts.get(1))), parts.get(2));
            }
            case "busy" -> {
                Transfer owner = RedisRecords.transfer(parts.get(2));
                return new Acquisition.Busy(owner.token(), owner.holder(), Resp.duration(Resp.number(parts.get(1))));
            }
            case "moved" -> {
                return new Acquisition.Moved(parts.get(1) == null ? null : RedisRecords.transfer(parts.get(1)));
            }
            case "spent" -> {
                return new Acquisition.Spent();
            }
            default -> throw new IllegalArgumentException("unknown answer");
        }
    }

    private Acquisition granted(LeaseName name, AttemptId attempt, Duration remaining, @Nullable Object bytes) {
        Transfer owner = RedisRecords.transfer(bytes);
        return new Acquisition.Granted(new Grant(name, owner.token(), attempt, id), remaining, owner);
    }

    @Override
    public List<Renewal> renew(List<RenewRequest> requests) {
        List<Renewal> results = new ArrayList<>(requests.size());
        while (results.size() < requests.size()) {
            List<RenewalBatch> batches = RenewalBatch.of(requests.subList(results.size(), requests.size()));
            List<ScriptArguments> calls = new ArrayList<>(batches.size());
            for (RenewalBatch batch : batches) {
                calls.add(batch.arguments(keys));
            }
            List<@Nullable Object> answers = scripts.renew.runAll(client, calls);
            for (int i = 0; i < batches.size(); i++) {
                RenewalBatch batch = batches.get(i);
                Object answer = answers.get(i);
                results.addAll(parsed(() -> batch.results(Resp.list(answer), this::floor)));
            }
        }
        return results;
    }

    @Override
    public Release release(Grant grant, Duration minHold) {
        byte[] key = keys.lease(grant.name().value());
        ScriptArguments arguments = RedisRecords.release(key, grant, minHold, wakeups.windowMicros(grant.name()));
        return parsed(() -> {
            Object answer = run(scripts.release, grant.name(), arguments);
            if (answer instanceof Long) {
                return new Release.Released();
            }
            Loss loss = RedisRecords.loss(Resp.list(answer), grant, this::floor);
            return loss instanceof Loss.Released ? new Release.AlreadyReleased() : new Release.NotCurrent(loss);
        });
    }

    @Override
    public void abandon(LeaseName name, AttemptId attempt) {
        run(
                scripts.abandon,
                name,
                new ScriptArguments(1, 2).add(keys.lease(name.value())).add(withBlank(attempt)));
    }

    @Override
    public ProgressReport progress(Grant grant, @Nullable Note note, @Nullable Checkpoint checkpoint) {
        String name = grant.name().value();
        ScriptArguments arguments = new ScriptArguments(2, 6)
                .add(keys.lease(name))
                .add(keys.progress(name))
                .add(RedisRecords.proof(grant))
                .add(grant.token().value())
                .add(note == null ? "" : note.value())
                .add(checkpoint == null ? "" : checkpoint.value());
        return parsed(() -> {
            Object answer = run(scripts.progress, grant.name(), arguments);
            return answer instanceof Long
                    ? new ProgressReport.Noted()
                    : new ProgressReport.NotCurrent(RedisRecords.loss(Resp.list(answer), grant, this::floor));
        });
    }

    @Override
    public Optional<LeaseSnapshot> inspect(LeaseName name) {
        List<LeaseSnapshot> found = parsed(() -> read(List.of(name.value())));
        return found.isEmpty() ? Optional.empty() : Optional.of(found.get(0));
    }

    @Override
    public List<LeaseSnapshot> list(String prefix, String after, int limit) {
        List<LeaseSnapshot> found = new ArrayList<>();
        String from = after;
        while (found.size() < limit) {
            int page = Math.min(READ_AT_ONCE, limit - found.size());
            List<String> names = SortedIndex.page(client, keys.names(), prefix, from, page);
            if (names.isEmpty()) {
                break;
            }
            found.addAll(parsed(() -> read(names)));
            from = names.get(names.size() - 1);
        }
        return found;
    }

    @Override
    public List<LeaseName> names(String prefix, String after, int limit) {
        List<LeaseName> found = new ArrayList<>();
        for (String name : SortedIndex.page(client, keys.names(), prefix, after, limit)) {
            found.add(LeaseName.of(name));
        }
        return found;
    }

    private List<LeaseSnapshot> read(List<String> names) {
        ScriptArguments arguments = new ScriptArguments(2 * names.size(), 2 * names.size());
        for (String name : names) {
            arguments.add(keys.lease(name)).add(keys.progress(name));
        }
        List<@Nullable Object> answer = Resp.list(
                names.size() == 1 ? run(scripts.inspect, null, arguments) : scripts.inspect.run(client, arguments));
        Instant clock = Resp.instant(Resp.number(answer.get(0)));
        List<LeaseSnapshot> found = new ArrayList<>(names.size());
        for (int i = 0; i < names.size(); i++) {
            if (answer.get(i + 1) != null) {
                found.add(RedisRecords.snapshot(LeaseName.of(names.get(i)), Resp.list(answer.get(i + 1)), clock));
            }
        }
        return found;
    }

    @Override
    public List<Transfer> history(LeaseName name, int limit) {
        Object kept = client.call(RedisClient.Repeat.SAFE, Protocol.Command.GET, keys.history(name.value()));
        return parsed(() -> RedisRecords.history(kept, limit));
    }

    @Override
    public CasRegister register() {
        return register;
    }

    @Override
    public Optional<Watch> watch(LeaseName name) {
        return Optional.of(wakeups.watch(name));
    }

    @Override
    public List<Forgetting> forget(List<ForgetRequest> requests) {
        List<Forgetting> answers = new ArrayList<>(requests.size());
        for (int from = 0; from < requests.size(); from += READ_AT_ONCE) {
            List<ForgetRequest> part = requests.subList(from, Math.min(requests.size(), from + READ_AT_ONCE));
            answers.addAll(parsed(() -> forgetAtOnce(part)));
        }
        return answers;
    }

    private List<Forgetting> forgetAtOnce(List<ForgetRequest> requests) {
        ScriptArguments arguments = new ScriptArguments(3 + 3 * requests.size(), 4 + 5 * requests.size())
                .add(keys.storeId())
                .add(keys.floor())
                .add(keys.names());
        for (ForgetRequest request : requests) {
            String name = request.name().value();
            arguments.add(keys.lease(name)).add(keys.history(name)).add(keys.progress(name));
        }
        arguments.add(id.value());
        for (ForgetRequest request : requests) {
            // A token that is too high for a floor matches no record.
            arguments
                    .add(bytes(
                            request.seen().value() > MAX_FLOOR
                                    ? 0
                                    : request.seen().value()))
                    .add(request.name().value());
        }
        return RedisRecords.forgettings(Resp.list(scripts.forget.run(client, arguments)));
    }

    @Override
    public long floor() {
        Object floor = client.call(RedisClient.Repeat.SAFE, Protocol.Command.GET, keys.floor());
        return floor == null ? 0 : parsed(() -> ByteBuffer.wrap(Resp.raw(floor)).getLong());
    }

    @Override
    public boolean eraseScratch(LeaseName name) {
        LeaseStore.requireScratch(name);
        ScriptArguments arguments = new ScriptArguments(4, 5)
                .add(keys.lease(name.value()))
                .add(keys.history(name.value()))
                .add(keys.names())
                .add(keys.progress(name.value()))
                .add(name.value());
        return Resp.number(scripts.erase.run(client, arguments)) == 1;
    }

    @Override
    public Optional<String> atomicBecause() {
        return Optional.of("Redis runs each script alone");
    }

    @Override
    public List<String> warnings() {
        return RedisSettings.warnings(client);
    }

    @Override
    public void close() {
        wakeups.close();
        client.close();
    }

    private <T> T parsed(Supplier<T> step) {
        return client.failures().parsed(step);
    }
}
