package dev.leasehold.store;

import dev.leasehold.internal.LeaseRules;
import dev.leasehold.internal.Step;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.internal.Transition;
import dev.leasehold.model.Forgetting;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.ForgetRequest;
import java.time.Clock;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Leases in the memory of this process: for tests, and for the threads of one program. It keeps the
 * promises of every store as long as the process lives.
 */
public final class MemoryLeaseStore extends SteppedLeaseStore {
    private final InstantSource clock;
    private final ConcurrentSkipListMap<String, Entry> entries = new ConcurrentSkipListMap<>();
    private final CasRegister register;
    private final AtomicLong floor = new AtomicLong();

    /** A store with a random id and the system's clock. */
    public MemoryLeaseStore() {
        this(StoreId.of(new SystemIds().unique()), Clock.systemUTC());
    }

    /** The same, with a given id and clock: for tests. */
    public MemoryLeaseStore(StoreId id, InstantSource clock) {
        super(id);
        this.clock = clock;
        this.register = new MemoryRegister(clock);
    }

    /** An entry is its own lock. */
    private static final class Entry {
        private @Nullable LeaseRecord record;
        private final Deque<Transfer> history = new ArrayDeque<>();
        /** Whether it is no longer in the map, so that another entry may be. */
        private boolean removed;
    }

    @Override
    <T> T step(LeaseName name, Transition<T> transition) {
        if (!entries.containsKey(name.value())) {
            Step<T> step = transition.decide(null, floor.get(), clock.instant());
            if (step.write() == null) {
                // A question about an unknown name must not create it.
                return step.answer();
            }
        }
        while (true) {
            Entry entry = entries.computeIfAbsent(name.value(), n -> new Entry());
            synchronized (entry) {
                if (!entry.removed) {
                    return step(entry, transition);
                }
            }
        }
    }

    /** The floor is read under the lock of the entry: nobody can forget the name meanwhile. */
    private <T> T step(Entry entry, Transition<T> transition) {
        Step<T> step = transition.decide(entry.record, floor.get(), clock.instant());
        LeaseRecord write = step.write();
        if (write != null) {
            entry.record = write;
            if (step.transfers()) {
                entry.history.addFirst(write.owner());
                if (entry.history.size() > HISTORY_KEPT) {
                    entry.history.removeLast();
                }
            }
        }
        return step.answer();
    }

    @Override
    public List<Forgetting> forget(List<ForgetRequest> requests) {
        return each(requests, this::forget);
    }

    private Forgetting forget(ForgetRequest request) {
        Entry entry = entries.get(request.name().value());
        if (entry == null) {
            return Forgetting.ABSENT;
        }
        synchronized (entry) {
            if (entry.record == null || entry.removed) {
                return Forgetting.ABSENT;
            }
            if (!LeaseRules.mayForget(entry.record, request.seen(), clock.instant())) {
                return Forgetting.KEPT;
            }
            floor.accumulateAndGet(request.seen().value(), Math::max);
            remove(request.name(), entry);
            return Forgetting.FORGOTTEN;
        }
    }

    @Override
    boolean erase(LeaseName name) {
        Entry entry = entries.get(name.value());
        if (entry == null) {
            return false;
        }
        synchronized (entry) {
            boolean here = !entry.removed;
            remove(name, entry);
            return here;
        }
    }

    private void remove(LeaseName name, Entry entry) {
        entry.removed = true;
        entries.remove(name.value(), entry);
    }

    @Override
    public long floor() {
        return floor.get();
    }

    @Override
    public Optional<String> atomicBecause() {
        return Optional.of("each step runs under a lock in this process");
    }

    @Override
    public List<LeaseSnapshot> list(String prefix, String after, int limit) {
        List<LeaseSnapshot> found = new ArrayList<>();
        String first = after.compareTo(prefix) < 0 ? prefix : after;
        for (String name : entries.tailMap(first).keySet()) {
            if (found.size() == limit || !name.startsWith(prefix)) {
                break;
            }
            if (!name.equals(after)) {
                inspect(LeaseName.of(name)).ifPresent(found::add);
            }
        }
        return found;
    }

    @Override
    public List<Transfer> history(LeaseName name, int limit) {
        Entry entry = entries.get(name.value());
        if (entry == null) {
            return List.of();
        }
        synchronized (entry) {
            return entry.history.stream().limit(limit).toList();
        }
    }

    @Override
    public CasRegister register() {
        return register;
    }

    @Override
    public void close() {}
}
