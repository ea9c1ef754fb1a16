package dev.leasehold.jdbc;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The statements that make a caller the owner of a name. Safe for use by many threads. */
final class Takes {
    /** A trim is a separate commit, so it removes many rows at once. */
    private static final int TRIM_EVERY = 4 * LeaseStore.HISTORY_KEPT;

    private final Database database;
    private final LeaseStatements statements;
    private final StoreId id;
    private final Function<OwnershipRequest, Optional<Acquisition>> takeExisting;
    private final Function<OwnershipRequest, Optional<Acquisition>> takeNew;

    /** Names that have a row. */
    private final RecentNames known = new RecentNames();

    Takes(Database database, LeaseStatements statements, Optional<PostgresBatches> batches, StoreId id) {
        this.database = database;
        this.statements = statements;
        this.id = id;
        this.takeExisting = PostgresBatches.lane(
                batches,
                OwnershipRequest::name,
                PostgresBatches::take,
                claim -> send(statements.acquireExisting, claim));
        this.takeNew = PostgresBatches.lane(
                batches, OwnershipRequest::name, PostgresBatches::create, claim -> send(statements.acquire, claim));
    }

    /** Takes the name if it is new or its deadline has passed. Empty if nothing was changed. */
    Optional<Acquisition> acquire(OwnershipRequest claim) {
        boolean exists = known.contains(claim.name().value());
        return noted(claim, (exists ? takeExisting : takeNew).apply(claim));
    }

    /** Takes the name regardless of its deadline. Empty if nothing was changed. */
    Optional<Acquisition> intervene(OwnershipRequest claim) {
        return noted(claim, send(statements.intervene, claim));
    }

    /** The name turned out to have no row. */
    void isMissing(LeaseName name) {
        known.remove(name.value());
    }

    private Optional<Acquisition> send(NamedSql statement, OwnershipRequest claim) {
        List<Optional<Acquisition>> rows = database.rows(statement, claim.params(), row -> claim.granted(row, 1, id));
        return rows.isEmpty() ? Optional.empty() : rows.get(0);
    }

    private Optional<Acquisition> noted(OwnershipRequest claim, Optional<Acquisition> answer) {
        if (answer.orElse(null) instanceof Acquisition.Granted granted) {
            known.add(claim.name().value());
            trimHistory(granted.grant());
        }
        return answer;
    }

    /** Runs once every {@link #TRIM_EVERY} grants. If it fails, a later run removes the rows. */
    private void trimHistory(Grant grant) {
        if (statements.trimHistory.isEmpty() || grant.token().value() % TRIM_EVERY != 0) {
            return;
        }
        try {
            database.changes(
                    statements.trimHistory.get(),
                    SqlParameters.of("name", grant.name().value()).and("kept", (long) LeaseStore.HISTORY_KEPT));
        } catch (StoreUnavailableException e) {
            // The lease is granted even if old rows stay.
        }
    }
}
