package dev.leasehold.events;

import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.LeaseStore;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The changes of ownership. Only the history of a name whose token has changed is read. */
final class LeaseEvents {
    private final LeaseStore store;
    private final EventPosition start;
    /** The latest token of each name that was seen. */
    private final NameMemory<Long> tokens = new NameMemory<>();
    /** Whether every name was looked at once, so that a name that is not known is new. */
    private boolean complete;

    LeaseEvents(LeaseStore store, EventPosition start) {
        this.store = store;
        this.start = start;
    }

    /** How many names are remembered. */
    int names() {
        return tokens.size();
    }

    /** Passes over what happened so far. */
    void skip() {
        forEach(lease -> tokens.put(lease.name(), lease.token().value()));
    }

    void read(Consumer<Event> found) {
        forEach(lease -> read(lease, found));
    }

    private void forEach(Consumer<LeaseRecord> lease) {
        // 'leasehold doctor' reports what is damaged.
        tokens.begin();
        LeasePages pages = new LeasePages(store, damaged -> {});
        while (pages.hasNext()) {
            for (LeaseSnapshot snapshot : pages.next()) {
                if (!snapshot.lease().name().value().startsWith(LeaseStore.SCRATCH_PREFIX)) {
                    lease.accept(snapshot.lease());
                }
            }
        }
        tokens.end(name -> store.inspect(name).isEmpty());
        complete = true;
    }

    private void read(LeaseRecord lease, Consumer<Event> found) {
        LeaseName name = lease.name();
        long token = lease.token().value();
        Long known = tokens.seen(name);
        if (known != null && known == token) {
            return;
        }
        if (known == null && complete) {
            known = 0L;
        }
        if (known != null || StoredEvents.position(name, lease.owner()).isAfter(start)) {
            try {
                token = readHistory(name, known, found, token);
            } catch (StoreCorruptException e) {
                // 'leasehold doctor' reports it. It must not hide the events of others.
                found.accept(StoredEvents.missed(name, lease.owner().at()));
            }
        }
        tokens.put(name, token);
    }

    /**
     * Returns the latest token in the history.
     *
     * @param known null if only the start tells what is new
     */
    private long readHistory(LeaseName name, @Nullable Long known, Consumer<Event> found, long current) {
        List<Transfer> newestFirst = store.history(name, LeaseStore.HISTORY_KEPT);
        Transfer oldestNew = null;
        for (Transfer transfer : newestFirst) {
            boolean isNew = known == null
                    ? StoredEvents.position(name, transfer).isAfter(start)
                    : transfer.token().value() > known;
            if (isNew) {
                found.accept(StoredEvents.of(name, transfer));
                oldestNew = transfer;
            }
        }
        boolean all = newestFirst.size() < LeaseStore.HISTORY_KEPT;
        if (!all && oldestNew != null && oldestNew.equals(newestFirst.get(newestFirst.size() - 1))) {
            found.accept(StoredEvents.missed(name, oldestNew.at()));
        }
        return newestFirst.isEmpty() ? current : newestFirst.get(0).token().value();
    }
}
