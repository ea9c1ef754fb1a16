package dev.leasehold.aws;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.Forgetting;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Note;
import dev.leasehold.model.ProgressReport;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreMissingException;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.ForgetRequest;
import dev.leasehold.spi.IncomingStore;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.OutgoingStore;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.store.CasLeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Leases in S3 or a compatible service. Every change of a record creates one object.
 *
 * <p>The clock of S3 has whole seconds, and is that of one of many servers. So every deadline is {@link
 * #COARSENESS} later than asked for: the service never takes a lease away before its ttl is over, and another
 * holder waits a little longer.
 */
public final class S3LeaseStore implements LeaseStore {
    /** One second because the Date is rounded down, and one in which the servers may differ. */
    static final Duration COARSENESS = Duration.ofSeconds(2);

    private static final String ID_KEY = "store-id";

    private final LeaseStore leases;

    private S3LeaseStore(LeaseStore leases) {
        this.leases = leases;
    }

    /** @throws StoreMissingException if there is no store; none is created */
    public static S3LeaseStore open(String url) {
        return using(url, client -> over(client, new S3Register(client), false));
    }

    /**
     * Opens a store, and creates it if there is none. The bucket must exist, and its service must honour
     * {@code If-None-Match: *}.
     */
    public static S3LeaseStore create(String url) {
        return using(url, client -> over(client, new S3Register(client), true));
    }

    static OutgoingStore moveAway(String url, String to) {
        return using(url, client -> CasLeaseStore.moveAway(new S3Register(client), place(client), to));
    }

    static IncomingStore receive(String url, StoreId id) {
        return using(url, client -> {
            requireConditions(client);
            return new IncomingS3Store(CasLeaseStore.receive(new S3Register(client), place(client), id));
        });
    }

    private static <T> T using(String url, Function<S3Client, T> opening) {
        S3Client client = S3Client.connect(url);
        boolean opened = false;
        try {
            T store = opening.apply(client);
            opened = true;
            return store;
        } finally {
            if (!opened) {
                client.close();
            }
        }
    }

    private static String place(S3Client client) {
        return "bucket '" + client.bucket() + "' under '" + client.prefix() + "'";
    }

    static S3LeaseStore over(S3Client client, CasRegister register, boolean create) {
        if (!create) {
            return new S3LeaseStore(CasLeaseStore.open(register, place(client)));
        }
        if (register.read(ID_KEY).value().isEmpty()) {
            requireConditions(client);
        }
        return new S3LeaseStore(CasLeaseStore.over(register));
    }

    /** A service that ignores the condition would grant every lease to everybody. */
    private static void requireConditions(S3Client client) {
        String probe = client.prefix() + "probe/" + UUID.randomUUID();
        boolean first = client.create(probe, new byte[] {1}, Map.of()).created();
        boolean second = client.create(probe, new byte[] {2}, Map.of()).created();
        client.delete(List.of(probe));
        if (!first || second) {
            throw new IllegalArgumentException("the service does not honour If-None-Match: * and created one object"
                    + " twice, so it cannot keep leases. No store was created. Use another service");
        }
    }

    @Override
    public StoreId id() {
        return leases.id();
    }

    @Override
    public Acquisition acquire(LeaseName name, AttemptId attempt, Holder holder, Duration ttl) {
        return promised(leases.acquire(name, attempt, holder, ttl.plus(COARSENESS)));
    }

    @Override
    public Acquisition intervene(Intervention move) {
        if (move.leavesFree()) {
            return leases.intervene(move);
        }
        Duration ttl = move.ttl().plus(COARSENESS);
        return promised(leases.intervene(new Intervention(
                move.kind(),
                move.name(),
                move.attempt(),
                move.holder(),
                ttl,
                move.above(),
                move.reason(),
                move.seen())));
    }

    /** With the time that the holder may count on. */
    private static Acquisition promised(Acquisition answer) {
        if (answer instanceof Acquisition.Granted granted) {
            return new Acquisition.Granted(granted.grant(), promised(granted.remaining()), granted.transfer());
        }
        if (answer instanceof Acquisition.Busy busy && busy.remaining().compareTo(COARSENESS) > 0) {
            return new Acquisition.Busy(busy.token(), busy.holder(), promised(busy.remaining()));
        }
        return answer;
    }

    private static LeaseSnapshot promised(LeaseSnapshot snapshot) {
        LeaseRecord lease = snapshot.lease();
        if (lease.released()) {
            return snapshot;
        }
        LeaseRecord promised = new LeaseRecord(
                lease.name(),
                lease.owner(),
                lease.deadline().minus(COARSENESS),
                promised(lease.term()),
                false,
                lease.seen(),
                lease.progress());
        return new LeaseSnapshot(promised, snapshot.at(), snapshot.readAt());
    }

    private static Duration promised(Duration remaining) {
        Duration sure = remaining.minus(COARSENESS);
        return sure.isNegative() ? Duration.ZERO : sure;
    }

    @Override
    public List<Renewal> renew(List<RenewRequest> requests) {
        List<RenewRequest> later = new ArrayList<>(requests.size());
        for (RenewRequest request : requests) {
            later.add(new RenewRequest(request.grant(), request.ttl().plus(COARSENESS)));
        }
        List<Renewal> answers = new ArrayList<>(requests.size());
        for (Renewal answer : leases.renew(later)) {
            answers.add(
                    answer instanceof Renewal.Renewed renewed
                            ? new Renewal.Renewed(promised(renewed.remaining()))
                            : answer);
        }
        return answers;
    }

    @Override
    public Release release(Grant grant, Duration minHold) {
        return leases.release(grant, minHold);
    }

    @Override
    public void abandon(LeaseName name, AttemptId attempt) {
        leases.abandon(name, attempt);
    }

    @Override
    public ProgressReport progress(Grant grant, @Nullable Note note, @Nullable Checkpoint checkpoint) {
        return leases.progress(grant, note, checkpoint);
    }

    @Override
    public Optional<LeaseSnapshot> inspect(LeaseName name) {
        return leases.inspect(name).map(S3LeaseStore::promised);
    }

    @Override
    public List<LeaseSnapshot> list(String prefix, String after, int limit) {
        return leases.list(prefix, after, limit).stream()
                .map(S3LeaseStore::promised)
                .toList();
    }

    @Override
    public List<LeaseName> names(String prefix, String after, int limit) {
        return leases.names(prefix, after, limit);
    }

    @Override
    public List<Transfer> history(LeaseName name, int limit) {
        return leases.history(name, limit);
    }

    @Override
    public CasRegister register() {
        return leases.register();
    }

    @Override
    public List<Forgetting> forget(List<ForgetRequest> requests) {
        return leases.forget(requests);
    }

    @Override
    public long floor() {
        return leases.floor();
    }

    @Override
    public boolean eraseScratch(LeaseName name) {
        return leases.eraseScratch(name);
    }

    @Override
    public Optional<String> atomicBecause() {
        return Optional.of("each step creates the next object of a series, on the condition that it does not exist");
    }

    @Override
    public void close() {
        leases.close();
    }
}
