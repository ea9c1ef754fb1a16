package dev.leasehold;

import dev.leasehold.internal.Secrets;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreMovedException;
import dev.leasehold.model.StoreMovedException.Stage;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.IncomingStore;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.OutgoingStore;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.LongConsumer;

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
    private final LongConsumer progress;
    /** By the clock of the new place. */
    private final Instant started;

    private int leases;
    private int records;

    private StoreMigration(OutgoingStore from, IncomingStore to, LongConsumer progress) {
        this.progress = progress;
        this.from = from;
        this.to = to;
        this.started = clock(to);
    }

    private static Instant clock(IncomingStore place) {
        return place.register().read(CLOCK_KEY).at().truncatedTo(ChronoUnit.MICROS);
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
     * @param neverUsed whether nobody can have used the new place. Needed only if a move was
     *     interrupted in its last step, and there is no store at the new place
     * @throws IllegalArgumentException if a URL is malformed, or a store of its kind cannot be moved
     * @throws StoreUnavailableException if a store cannot be reached, or if there is another store at
     *     the new place
     */
    public static Moved move(String from, String to, boolean neverUsed) {
        return move(from, to, neverUsed, copied -> {});
    }

    /**
     * As {@link #move(String, String, boolean)}.
     *
     * @param progress is told the number of leases and records after each; what it throws interrupts the move
     */
    public static Moved move(String from, String to, boolean neverUsed, LongConsumer progress) {
        String shown = Secrets.withoutPassword(to);
        if (shown.length() > MAX_SHOWN) {
            throw new IllegalArgumentException(
                    "the URL of the new place is longer than " + MAX_SHOWN + " characters without its password");
        }
        StoreId id;
        try (LeaseStore store = Stores.open(from)) {
            id = store.id();
        } catch (StoreMovedException e) {
            return resume(e, from, to, shown, neverUsed, progress);
        }
        return copy(from, to, shown, id, progress);
    }

    /** The new place is opened first: nothing may change in the old one if the new one cannot be used. */
    private static Moved copy(String from, String to, String shown, StoreId id, LongConsumer progress) {
        try (IncomingStore incoming = Stores.receive(to, id);
                OutgoingStore outgoing = Stores.moveAway(from, shown)) {
            return new StoreMigration(outgoing, incoming, progress).copy();
        }
    }

    private static Moved resume(
            StoreMovedException moved, String from, String to, String shown, boolean neverUsed, LongConsumer progress) {
        if (moved.stage() == Stage.MOVING) {
            return copy(from, to, shown, moved.id(), progress);
        }
        if (!moved.to().equals(shown)) {
            throw moved;
        }
        if (isThere(to, moved.id())) {
            try (OutgoingStore outgoing = Stores.moveAway(from, shown)) {
                outgoing.finish();
            }
            return new Moved(moved.id(), 0, 0, true);
        }
        if (moved.stage() == Stage.MOVED) {
            throw new StoreUnavailableException("this store was moved to " + shown
                    + ", but there is no store with its id now; nothing was changed. Mount it, or restore it");
        }
        if (!neverUsed) {
            throw new StoreUnavailableException("everything was copied to " + shown
                    + ", but there is no store with its id; nothing was changed. If it is not mounted, mount it. If the move"
                    + " was interrupted in its last step and nobody can have used the new place, repeat the move with"
                    + " --never-used");
        }
        return copy(from, to, shown, moved.id(), progress);
    }

    private static boolean isThere(String to, StoreId id) {
        try (LeaseStore store = Stores.open(to)) {
            return store.id().equals(id);
        } catch (StoreUnavailableException e) {
            return false;
        }
    }

    private Moved copy() {
        LeaseStore content = from.content();
        to.raiseFloor(content.floor());
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
        // In this order: once the new place can be used, the old store must not go elsewhere.
        to.prepare();
        from.allCopied();
        to.complete();
        from.finish();
        return new Moved(from.id(), leases, records, false);
    }

    /**
     * What is left of a lease is left of it in the new place too, whatever its clock says. That of a
     * lease which is held is read for each, because its time runs.
     */
    private void copy(LeaseSnapshot lease) {
        LeaseRecord old = lease.lease();
        Instant now = lease.isFree() ? started : clock(to);
        LeaseRecord moved = new LeaseRecord(
                old.name(), old.owner(), now.plus(lease.remaining()), old.term(), old.released(), now, old.progress());
        to.put(moved, from.content().history(old.name(), LeaseStore.HISTORY_KEPT));
        leases++;
        progress.accept((long) leases + records);
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
        progress.accept((long) leases + records);
    }
}
