package dev.leasehold;

import dev.leasehold.internal.Secrets;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreMovedException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.IncomingStore;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.OutgoingStore;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Moves a store to another place: leases with their counters and histories, the register, and the
 * id, so that fences go on working. From its start on, the old store tells its clients that it was
 * moved. The new place cannot be opened before it is complete. A move that was interrupted is
 * repeated.
 *
 * <p>A lease that is held stays held in the new place for the time that is left, so nobody else gets
 * it early. Its holder cannot renew it in the old store, and loses it when that time is over.
 */
public final class StoreMigration {
    private static final int PAGE = 500;
    /** A database keeps 200 characters. */
    private static final int MAX_SHOWN = 200;

    private static final String CLOCK_KEY = "leasehold-scratch/clock";

    private final OutgoingStore from;
    private final IncomingStore to;
    private int leases;
    private int records;

    private StoreMigration(OutgoingStore from, IncomingStore to) {
        this.from = from;
        this.to = to;
    }

    /**
     * What was moved.
     *
     * @param records the number of entries in the register
     * @param before whether an earlier call had moved everything
     */
    public record Moved(StoreId id, int leases, int records, boolean before) {}

    /**
     * Moves the store, or goes on with a move that was interrupted.
     *
     * @throws IllegalArgumentException if a URL is malformed, or a store of its kind cannot be moved
     * @throws StoreUnavailableException if a store cannot be reached, or if there is another store at
     *     the new place. The message says whether the move has begun
     */
    public static Moved move(String from, String to) {
        String shown = Secrets.withoutPassword(to);
        if (shown.length() > MAX_SHOWN) {
            throw new IllegalArgumentException(
                    "the URL of the new place is longer than " + MAX_SHOWN + " characters without its password");
        }
        StoreId id;
        try (LeaseStore store = Stores.open(from)) {
            id = store.id();
        } catch (StoreMovedException e) {
            return resume(from, to, shown);
        }
        // First: nothing may change in the old place if the new one cannot be used.
        try (IncomingStore incoming = Stores.receive(to, id);
                OutgoingStore outgoing = Stores.moveAway(from, shown)) {
            return new StoreMigration(outgoing, incoming).copy();
        }
    }

    private static Moved resume(String from, String to, String shown) {
        try (OutgoingStore outgoing = Stores.moveAway(from, shown)) {
            if (isComplete(to, outgoing.id())) {
                return new Moved(outgoing.id(), 0, 0, true);
            }
            try (IncomingStore incoming = Stores.receive(to, outgoing.id())) {
                return new StoreMigration(outgoing, incoming).copy();
            }
        }
    }

    /** Whether the new place is the store; false also if it cannot be opened, because it is half filled. */
    private static boolean isComplete(String to, StoreId id) {
        try (LeaseStore store = Stores.open(to)) {
            return store.id().equals(id);
        } catch (StoreUnavailableException e) {
            return false;
        }
    }

    private Moved copy() {
        LeaseStore content = from.content();
        String after = "";
        List<LeaseName> names;
        do {
            names = content.names("", after, PAGE);
            for (LeaseName name : names) {
                after = name.value();
                content.inspect(name).ifPresent(this::copy);
            }
        } while (names.size() == PAGE);
        copyRegister(content.register());
        // In this order: the old store must not go elsewhere once the new one can be used.
        from.allCopied();
        to.complete();
        return new Moved(from.id(), leases, records, false);
    }

    /** What is left of a lease is left of it in the new place too, whatever its clock says. */
    private void copy(LeaseSnapshot lease) {
        LeaseRecord old = lease.lease();
        Instant now = to.register().read(CLOCK_KEY).at().truncatedTo(ChronoUnit.MICROS);
        LeaseRecord moved = new LeaseRecord(
                old.name(), old.owner(), now.plus(lease.remaining()), old.term(), old.released(), now, old.progress());
        to.put(moved, from.content().history(old.name(), LeaseStore.HISTORY_KEPT));
        leases++;
    }

    private void copyRegister(CasRegister register) {
        String after = "";
        List<String> keys;
        do {
            keys = register.keys("", after, PAGE);
            for (String key : keys) {
                after = key;
                register.read(key).value().ifPresent(value -> copy(key, value));
            }
        } while (keys.size() == PAGE);
    }

    private void copy(String key, String value) {
        CasRegister.Reading there = to.register().read(key);
        boolean same = there.value().isPresent() && there.value().get().equals(value);
        if (!same && !to.register().compareAndSet(key, there.version(), value)) {
            throw new StoreUnavailableException(
                    "another program writes to the new place; the move has begun. Stop it, and repeat the move");
        }
        records++;
    }
}
