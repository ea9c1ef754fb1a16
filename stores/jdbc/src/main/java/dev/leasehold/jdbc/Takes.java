package dev.leasehold.jdbc;

import dev.leasehold.internal.Pending;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The statements that make a caller the owner of a name. Safe for use by many threads. */
final class Takes {
    /** A trim is a separate commit, so it removes many rows at once. */
    private static final int TRIM_EVERY = 4 * LeaseStore.HISTORY_KEPT;

    private final Database database;
    private final LeaseStatements statements;
    private final StoreId id;
    private final FloorRow floor;
    private final Function<OwnershipRequest, Optional<Acquisition>> lane;

    /** Names that have a row. */
    private final RecentNames known = new RecentNames();

    Takes(
            Database database,
            LeaseStatements statements,
            Optional<PostgresBatches> batches,
            StoreId id,
            FloorRow floor) {
        this.database = database;
        this.statements = statements;
        this.id = id;
        this.floor = floor;
        // One lane for new names and others, because the callers of a name keep their order when it becomes known.
        this.lane = PostgresBatches.lane(batches, OwnershipRequest::name, this::takeTogether, this::takeAlone);
    }

    /** Takes the name if it is new or its deadline has passed. Empty if nothing was changed. */
    Optional<Acquisition> acquire(OwnershipRequest claim) {
        return noted(claim, lane.apply(claim));
    }

    private Optional<Acquisition> takeAlone(OwnershipRequest claim) {
        if (known.contains(claim.name().value())) {
            return send(statements.acquireExisting, claim);
        }
        Optional<Acquisition> answer = send(statements.acquire, claim);
        known.add(claim.name().value());
        return answer;
    }

    private void takeTogether(PostgresBatches batches, List<Pending<OwnershipRequest, Optional<Acquisition>>> claims) {
        Map<LeaseName, Boolean> exists = new HashMap<>(2 * claims.size());
        List<Pending<OwnershipRequest, Optional<Acquisition>>> existing = new ArrayList<>(claims.size());
        List<Pending<OwnershipRequest, Optional<Acquisition>>> others = new ArrayList<>(0);
        for (Pending<OwnershipRequest, Optional<Acquisition>> claim : claims) {
            boolean isKnown = exists.computeIfAbsent(claim.request().name(), name -> known.contains(name.value()));
            (isKnown ? existing : others).add(claim);
        }
        if (!existing.isEmpty()) {
            batches.take(existing);
        }
        if (!others.isEmpty()) {
            batches.create(others);
        }
    }

    /** Takes the name regardless of its deadline. Empty if nothing was changed. */
    Optional<Acquisition> intervene(OwnershipRequest claim) {
        return noted(claim, claim.seen() == 0 ? send(statements.intervene, claim) : takeSeen(claim));
    }

    /** Locks the row first: the statement would make a name that was forgotten. */
    private Optional<Acquisition> takeSeen(OwnershipRequest claim) {
        return database.transaction(connection -> {
            if (database.dialect().lockingRead().isEmpty()) {
                floor.lockFile(connection);
            }
            SqlParameters name = SqlParameters.of("name", claim.name().value());
            boolean known = !Database.rows(connection, statements.lock, name, row -> row.getLong(1))
                    .isEmpty();
            return known ? send(connection, statements.intervene, claim) : Optional.of(new Acquisition.Moved(null));
        });
    }

    /** The name turned out to have a row, or none. */
    void learn(LeaseName name, boolean exists) {
        if (exists) {
            known.add(name.value());
        } else {
            known.remove(name.value());
        }
    }

    private Optional<Acquisition> send(NamedSql statement, OwnershipRequest claim) {
        if (!database.dialect().locksFloorFirst()) {
            return database.run(connection -> send(connection, statement, claim));
        }
        return database.transaction(connection -> {
            floor.lock(connection);
            return send(connection, statement, claim);
        });
    }

    private Optional<Acquisition> send(Connection connection, NamedSql statement, OwnershipRequest claim)
            throws SQLException {
        if (statements.taken.isPresent()) {
            boolean asked = Database.changes(connection, statement, claim.params());
            return asked ? SecondStatement.taken(connection, statements.taken.get(), claim, id) : Optional.empty();
        }
        List<Optional<Acquisition>> rows =
                Database.rows(connection, statement, claim.params(), row -> claim.granted(row, 1, id));
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
