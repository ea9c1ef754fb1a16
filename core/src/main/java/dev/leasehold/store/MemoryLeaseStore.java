package dev.leasehold.store;

import dev.leasehold.internal.Step;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.internal.Transition;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.CasRegister;
import java.time.Clock;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * Leases in the memory of this process: for tests, and for the threads of one program. It keeps the
 * promises of every store as long as the process lives.
 */
public final class MemoryLeaseStore extends SteppedLeaseStore {
    private final InstantSource clock;
    private final ConcurrentSkipListMap<LeaseName, Entry> entries = new ConcurrentSkipListMap<>();
    private final CasRegister register;

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

    /** An entry is its own lock. It is never removed, because the token must outlive the holder. */
    private static final class Entry {
        private @Nullable LeaseRecord record;
        private final Deque<Transfer> history = new ArrayDeque<>();
    }

    @Override
    <T> T step(LeaseName name, Transition<T> transition) {
        if (!entries.containsKey(name)) {
            Step<T> step = transition.decide(null, clock.instant());
            if (step.write() == null) {
                // A question about an unknown name must not create it.
                return step.answer();
            }
        }
        Entry entry = entries.computeIfAbsent(name, n -> new Entry());
        synchronized (entry) {
            Step<T> step = transition.decide(entry.record, clock.instant());
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
    }

    @Override
    boolean erase(LeaseName name) {
        return entries.remove(name) != null;
    }

    @Override
    public Optional<String> atomicBecause() {
        return Optional.of("each step runs under a lock in this process");
    }

    @Override
    public List<LeaseSnapshot> list(String prefix, String after, int limit) {
        List<LeaseSnapshot> found = new ArrayList<>();
        for (LeaseName name : entries.keySet()) {
            if (found.size() == limit) {
                break;
            }
            if (name.value().startsWith(prefix) && name.value().compareTo(after) > 0) {
                inspect(name).ifPresent(found::add);
            }
        }
        return found;
    }

    @Override
    public List<Transfer> history(LeaseName name, int limit) {
        Entry entry = entries.get(name);
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
