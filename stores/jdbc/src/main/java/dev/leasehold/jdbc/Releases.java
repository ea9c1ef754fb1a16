package dev.leasehold.jdbc;

import dev.leasehold.internal.SystemChore;
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
    private final NamedSql durably;
    private final NamedSql hastily;
    private final Optional<NamedSql> again;

    /** The latest release of each name: a name that was taken again is on the disk, and its release with it. */
    private final Map<LeaseName, RenewRequest> unconfirmed = new ConcurrentHashMap<>();

    private final SystemChore confirming =
            new SystemChore("leasehold-releases", CONFIRM_MILLIS, this::isUnconfirmedAfterTrying);

    Releases(Database database, LeaseStatements statements) {
        this.database = database;
        this.durably = statements.release;
        this.hastily = statements.releaseHastily.orElse(statements.release);
        this.again = statements.releaseAgain;
    }

    /** Whether the grant was current and is released now. */
    boolean release(Grant grant, Params params) {
        boolean mayHurry = again.isPresent() && unconfirmed.size() < MAX_UNCONFIRMED;
        if (!database.changes(mayHurry ? hastily : durably, params)) {
            return false;
        }
        if (mayHurry) {
            unconfirmed.put(grant.name(), new RenewRequest(grant, NO_TTL));
            confirming.begin();
        }
        return true;
    }

    /** For a name that is busy, perhaps because a crash undid its release: whether that was seen to just now. */
    boolean repeated(LeaseName name) {
        return unconfirmed.containsKey(name) && !isUnconfirmedAfterTrying();
    }

    /** Puts what is unconfirmed on the disk; whether anything is left, since the server could not be asked. */
    private boolean isUnconfirmedAfterTrying() {
        List<RenewRequest> all = List.copyOf(unconfirmed.values());
        if (all.isEmpty()) {
            return false;
        }
        try {
            database.run(connection -> Database.changes(
                    connection, again.orElseThrow(), database.dialect().batch(connection, all)));
            all.forEach(released -> unconfirmed.remove(released.grant().name(), released));
        } catch (StoreUnavailableException | StoreCorruptException e) {
            // They are kept for the next time.
        }
        return !unconfirmed.isEmpty();
    }

    @Override
    public void close() {
        confirming.close();
        isUnconfirmedAfterTrying();
    }
}
