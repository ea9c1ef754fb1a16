package dev.leasehold.jdbc;

import dev.leasehold.internal.Combiner;
import dev.leasehold.internal.PeriodicTask;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.RenewRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Releases leases, without waiting for the disk where the database allows it. A release is the one
 * step that may be lost: the lease then ends with its ttl, as after a crash of its holder. To avoid
 * that when the server crashes and the client does not, released grants are remembered for a second
 * and released again by one statement that waits for the disk, and so makes every earlier commit
 * durable too. Safe for use by many threads.
 */
final class Releases implements AutoCloseable {
    private static final long CONFIRM_MILLIS = 1000;
    private static final Duration NO_TTL = Duration.ZERO;
    private static final int MAX_UNCONFIRMED = 5000;

    /** How long closing may take; a pool whose database is away would take its whole time-out. */
    private static final long CLOSE_MILLIS = 2000;

    private final Database database;
    private final NamedSql synced;
    private final NamedSql withoutSync;
    private final Optional<NamedSql> confirmation;
    private final Function<LeaseName, Long> windows;
    private final Function<Grant, Boolean> lane;

    /** Many callers may find at once that a name is busy whose release a crash may have undone. */
    private final Combiner<LeaseName, Boolean> confirmations = new Combiner<>(
            PostgresBatches.MOST,
            new Combiner.Lanes(1, 1),
            name -> null,
            callers -> {
                confirmAll();
                callers.forEach(each -> each.answer(true));
            },
            name -> {
                confirmAll();
                return true;
            });

    /**
     * The latest release of each name. If a name was acquired again, that commit made its release
     * durable too.
     */
    private final Map<LeaseName, RenewRequest> unconfirmed = new ConcurrentHashMap<>();

    private final PeriodicTask confirming = new PeriodicTask("leasehold-releases", CONFIRM_MILLIS, this::confirmOrKeep);

    /** @param windows the microseconds that go with a release, see {@link Wakeups#windowMicros} */
    Releases(
            Database database,
            LeaseStatements statements,
            Optional<PostgresBatches> batches,
            Function<LeaseName, Long> windows) {
        this.windows = windows;
        this.database = database;
        this.synced = statements.release;
        this.withoutSync = statements.releaseAsync.orElse(statements.release);
        this.confirmation = statements.confirmReleases;
        this.lane =
                PostgresBatches.lane(batches, Grant::name, PostgresBatches::release, grant -> send(withoutSync, grant));
    }

    /** Returns whether the grant was current and is now released. */
    boolean release(Grant grant) {
        if (confirmation.isEmpty() || unconfirmed.size() >= MAX_UNCONFIRMED) {
            return send(synced, grant);
        }
        if (!lane.apply(grant)) {
            return false;
        }
        unconfirmed.put(grant.name(), new RenewRequest(grant, NO_TTL));
        confirming.begin();
        return true;
    }

    private boolean send(NamedSql statement, Grant grant) {
        return database.changes(statement, JdbcLeaseStore.grant(grant).and("window", windows.apply(grant.name())));
    }

    /** The token whose release a crash of the server may undo, or may have undone; null if there is none. */
    @Nullable
    FencingToken unconfirmed(LeaseName name) {
        RenewRequest released = unconfirmed.get(name);
        return released == null ? null : released.grant().token();
    }

    /** Makes the release of this name durable, also if a crash undid it. */
    void confirm(LeaseName name) {
        confirmations.ask(name);
    }

    /** Makes all releases so far durable. */
    private void confirmAll() {
        List<RenewRequest> all = List.copyOf(unconfirmed.values());
        if (!all.isEmpty()) {
            database.run(connection -> Database.changes(
                    connection, confirmation.orElseThrow(), database.dialect().batch(connection, all)));
            all.forEach(released -> unconfirmed.remove(released.grant().name(), released));
        }
    }

    /** Returns whether releases remain unconfirmed; they are kept for the next run. */
    private boolean confirmOrKeep() {
        try {
            confirmAll();
        } catch (StoreUnavailableException | StoreCorruptException e) {
            // Retried by the next run. A lost release is safe: the lease ends with its ttl.
        }
        return !unconfirmed.isEmpty();
    }

    /** Confirms the last releases, best effort. */
    @Override
    public void close() {
        confirming.close();
        if (unconfirmed.isEmpty()) {
            return;
        }
        Thread last = new Thread(this::confirmOrKeep, "leasehold-releases");
        last.setDaemon(true);
        // An interrupted thread must still be able to confirm what it released.
        boolean interrupted = Thread.interrupted();
        try {
            last.start();
            last.join(CLOSE_MILLIS);
        } catch (OutOfMemoryError noThread) {
            confirmOrKeep();
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
