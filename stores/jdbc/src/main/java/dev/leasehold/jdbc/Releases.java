package dev.leasehold.jdbc;

import dev.leasehold.internal.PeriodicTask;
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

/**
 * Gives names back, where the database can without a wait for the disk: of all steps this one may be lost, since the lease
 * then ends with its ttl, as if its holder had died before. So that it is not lost when the server dies and the holder lives,
 * what was released is remembered for a second and released again, in one statement that does wait for the disk, and so puts
 * all that came before it there. Safe for use by many threads.
 */
final class Releases implements AutoCloseable {
    private static final long CONFIRM_MILLIS = 1000;
    private static final Duration NO_TTL = Duration.ZERO;
    private static final int MAX_UNCONFIRMED = 5000;

    private final Database database;
    private final NamedSql synced;
    private final NamedSql withoutSync;
    private final Optional<NamedSql> confirmation;

    /** The latest release of each name: a name that was taken again is on the disk, and its release with it. */
    private final Map<LeaseName, RenewRequest> unconfirmed = new ConcurrentHashMap<>();

    private final PeriodicTask confirming = new PeriodicTask("leasehold-releases", CONFIRM_MILLIS, this::confirmOrKeep);

    Releases(Database database, LeaseStatements statements) {
        this.database = database;
        this.synced = statements.release;
        this.withoutSync = statements.releaseAsync.orElse(statements.release);
        this.confirmation = statements.confirmReleases;
    }

    /** Whether the grant was current and is released now. */
    boolean release(Grant grant, SqlParameters params) {
        boolean skipSync = confirmation.isPresent() && unconfirmed.size() < MAX_UNCONFIRMED;
        if (!database.changes(skipSync ? withoutSync : synced, params)) {
            return false;
        }
        if (skipSync) {
            unconfirmed.put(grant.name(), new RenewRequest(grant, NO_TTL));
            confirming.begin();
        }
        return true;
    }

    /** Whether a crash of the server may undo, or may have undone, a release of this name. */
    boolean isUnconfirmed(LeaseName name) {
        return unconfirmed.containsKey(name);
    }

    /** Puts all releases so far on the disk, also those that a crash undid. */
    void confirm() {
        List<RenewRequest> all = List.copyOf(unconfirmed.values());
        if (!all.isEmpty()) {
            database.run(connection -> Database.changes(
                    connection, confirmation.orElseThrow(), database.dialect().batch(connection, all)));
            all.forEach(released -> unconfirmed.remove(released.grant().name(), released));
        }
    }

    /** Whether anything is left to be confirmed: what could not be is kept for the next time. */
    private boolean confirmOrKeep() {
        try {
            confirm();
        } catch (StoreUnavailableException | StoreCorruptException e) {
            // There is nobody to tell, and nothing is unsafe.
        }
        return !unconfirmed.isEmpty();
    }

    @Override
    public void close() {
        confirming.close();
        confirmOrKeep();
    }
}
