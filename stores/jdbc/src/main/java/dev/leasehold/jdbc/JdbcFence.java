package dev.leasehold.jdbc;

import dev.leasehold.fence.Fence;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Admission;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FenceDecision;
import dev.leasehold.model.FenceState;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.Text;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A fence inside the transaction that writes. Ask it before the first read, in the same transaction
 * and on the same connection as the writes it guards, and write only if it admits:
 * <pre>{@code
 * connection.setAutoCommit(false);
 * if (fence.admit(connection, lease.grant(), "orders") instanceof Admission.Admitted) {
 *     ... update orders ...
 *     connection.commit();
 * } else {
 *     connection.rollback();
 * }
 * }</pre>
 * <p>The fence's row is advanced and stays locked until the transaction ends. A zombie that froze
 * between the check and its commit makes its successor wait, and commits before the successor
 * begins. A zombie that asks after its successor waits for the successor's transaction and is then
 * refused. A refusal has written nothing. The fence never commits, rolls back or changes
 * autocommit, so it works under any transaction manager. Without a transaction it cannot give a
 * guarantee and throws.
 *
 * <p>Its table, {@code leasehold_fence}, must be in the same database as the guarded data; {@link
 * #prepare} creates it. Safe for use by many threads, each with its own connection.
 */
public final class JdbcFence {
    public static final int MAX_RESOURCE = 400;
    public static final int MAX_OPERATION = 200;

    private static final int MAX_TRIES = 16;

    /**
     * H2 has no insert that ignores an existing row. A failed statement leaves an H2 transaction
     * intact.
     */
    private static final String DUPLICATE_KEY = "23505";

    /**
     * Standard SQL for all databases. 'uses' always changes, so the row is locked even if nothing
     * else changes.
     */
    private static final String RAISE =
            """
            update leasehold_fence
            set store = coalesce(store, :store),
                attempt = case when raised < :token or attempt is null then :attempt else attempt end,
                %s raised = :token, uses = uses + 1
            where resource = :resource and name = :name
              and coalesce(store, :store, '') = coalesce(:store, store, '')
              and (raised < :token
                   or raised = :token and coalesce(attempt, :attempt, '') = coalesce(:attempt, attempt, ''))""";

    /**
     * A shorter statement for a grant that was admitted before. If it changes nothing, the full
     * statement decides.
     */
    private static final NamedSql AGAIN = new NamedSql(
            """
            update leasehold_fence set uses = uses + 1
            where resource = :resource and name = :name and store = :store and raised = :token and attempt = :attempt""");

    private static final NamedSql ADVANCE = new NamedSql(RAISE.formatted(""));
    private static final NamedSql ADVANCE_ONCE =
            new NamedSql(RAISE.formatted("once = :token, digest = :digest,") + " and (once is null or once < :token)");
    /** The row is locked, and the rules have admitted the grant. */
    private static final NamedSql REBIND = new NamedSql(
            """
            update leasehold_fence set store = :store, raised = :token, attempt = :attempt, uses = uses + 1
            where resource = :resource and raised <= :token""");

    private static final String READ =
            "select name, store, raised, attempt, once, digest from leasehold_fence where resource = :resource";

    private final Dialect dialect;
    private final NamedSql insert;
    private final NamedSql lockedRead;

    /** Resources whose row existed at the last access. */
    private final RecentNames known = new RecentNames();

    /** Resources together with the grants they admitted. */
    private final RecentNames admitted = new RecentNames();

    private final DataSource source;
    private final Optional<SharedRaises> raises;

    private JdbcFence(Dialect dialect, DataSource source) {
        this.dialect = dialect;
        this.source = source;
        this.raises = dialect.sharesRaises()
                ? Optional.of(new SharedRaises(source, raise -> new TransactionFence(this, source, raise.resource())
                        .raiseAlone(raise.grant())))
                : Optional.empty();
        this.insert = new NamedSql(dialect.insertAndLock(
                "leasehold_fence",
                "resource, name, store, raised, attempt, uses",
                ":resource, :name, :store, :token, :attempt, 0"));
        this.lockedRead = new NamedSql(READ + dialect.lockingRead());
    }

    /**
     * Detects the database and creates the table if it is missing, on its own connection.
     *
     * @param source the pool itself, not a proxy that joins a running transaction
     */
    public static JdbcFence prepare(DataSource source) {
        try (Connections connections = new DataSourceConnections(source, JdbcLeaseStore.ANSWER_WITHIN)) {
            Dialect dialect = Dialects.detect(connections);
            Schema.prepare(new Database(connections, dialect));
            return new JdbcFence(dialect, source);
        }
    }

    /**
     * Detects the database and expects the table; never creates anything. For databases whose tables
     * are made by a migration ({@link JdbcSchema}).
     *
     * @param source the pool itself, not a proxy that joins a running transaction
     * @throws dev.leasehold.model.StoreMissingException if the table is missing
     */
    public static JdbcFence open(DataSource source) {
        try (Connections connections = new DataSourceConnections(source, JdbcLeaseStore.ANSWER_WITHIN)) {
            Dialect dialect = Dialects.detect(connections);
            Schema.requireFence(new Database(connections, dialect));
            return new JdbcFence(dialect, source);
        }
    }

    /** A fence that runs each write in its own transaction. */
    public static Fence<SqlWork> on(DataSource source, String resource) {
        return prepare(source).in(source, resource);
    }

    /**
     * The fence of one of many resources, which runs each write in its own transaction.
     *
     * @param source the database of this fence
     */
    public Fence<SqlWork> in(DataSource source, String resource) {
        return new TransactionFence(this, source, requireResource(resource));
    }

    /** Raises a fence in a transaction that callers with other resources may share, if there can be one. */
    Optional<Admission> raiseTogether(DataSource same, Grant grant, String resource) {
        return same == source ? raises.map(all -> all.raise(grant, resource)) : Optional.empty();
    }

    /**
     * Whether the database itself refuses writes on a connection that is read-only. Other drivers
     * take it as a hint, and the fence has to be asked.
     */
    public boolean enforcesReadOnly() {
        return dialect instanceof PostgresDialect;
    }

    /**
     * Raises the fence to the grant's token before the work reads anything. Once this commits,
     * older tokens are refused.
     */
    public Admission raise(Connection connection, Grant grant, String resource) throws SQLException {
        return advance(connection, grant, resource, null);
    }

    /**
     * Admits the writes of this transaction if the fence has seen no higher token. One grant may
     * write many times.
     */
    public Admission admit(Connection connection, Grant grant, String resource) throws SQLException {
        return advance(connection, grant, resource, null);
    }

    /**
     * Admits one transaction per grant.
     *
     * @param operation identifies this write among the writes of the grant. Asked again with the
     *     same operation, the answer is {@link Admission.AlreadyWritten}; with a different one,
     *     {@link Admission.OnceUsed}
     */
    public Admission admitOnce(Connection connection, Grant grant, String resource, String operation)
            throws SQLException {
        return advance(connection, grant, resource, requireOperation(operation));
    }

    /** As {@link Fence#rebind}, in the caller's transaction. */
    public Admission rebind(Connection connection, Grant grant, String resource) throws SQLException {
        requireTransaction(connection, requireResource(resource));
        SqlParameters params = params(grant, resource);
        List<FenceState> found = Database.rows(connection, lockedRead, params, JdbcFence::state);
        if (found.isEmpty()) {
            throw new TargetUnavailableException(
                    "'" + resource + "' has no fence in " + dialect.product() + ": nothing was changed");
        }
        FenceDecision decision = found.get(0).rebind(grant, "'" + resource + "'");
        if (decision instanceof FenceDecision.Admit) {
            Database.changes(connection, REBIND, params);
        }
        return decision.answer();
    }

    private static void requireTransaction(Connection connection, String resource) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException(
                    "the fence of '" + resource + "' needs a transaction: turn autocommit off, otherwise"
                            + " the check ends before the write. Nothing was written");
        }
    }

    private Admission advance(Connection connection, Grant grant, String resource, @Nullable String once)
            throws SQLException {
        requireTransaction(connection, requireResource(resource));
        SqlParameters params = params(grant, resource).and("digest", once);
        String pass = resource + " " + grant.token() + " " + grant.attempt();
        if (once == null && admitted.contains(pass)) {
            if (Database.changes(connection, AGAIN, params)) {
                return new Admission.Admitted(grant.token());
            }
            admitted.remove(pass);
        }
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            if (!known.contains(resource)) {
                insert(connection, params);
            }
            if (Database.changes(connection, once == null ? ADVANCE : ADVANCE_ONCE, params)) {
                admitted.add(pass);
                return new Admission.Admitted(grant.token());
            }
            List<FenceState> found = Database.rows(connection, lockedRead, params, JdbcFence::state);
            if (found.isEmpty()) {
                // The transaction that inserted the row was rolled back.
                known.remove(resource);
                continue;
            }
            FenceDecision decision = found.get(0).judge(grant, "'" + resource + "'", once);
            if (!(decision instanceof FenceDecision.Admit)) {
                return decision.answer();
            }
        }
        throw new TargetUnavailableException("the fence of '" + resource + "' in " + dialect.product()
                + " changed at every try: nothing was written, try again in a new transaction");
    }

    /**
     * Inserts the fence's row unless it exists. Reading first would, on MariaDB, lock the gap where
     * the row belongs, and two transactions that then fill it would deadlock. So a row that is not
     * known to exist is inserted before anything else.
     */
    private void insert(Connection connection, SqlParameters params) throws SQLException {
        try {
            Database.changes(connection, insert, params);
        } catch (SQLException e) {
            if (!SqlFailures.hasState(e, DUPLICATE_KEY)) {
                throw e;
            }
        }
        known.add(String.valueOf(params.get("resource")));
    }

    private static SqlParameters params(Grant grant, String resource) {
        AttemptId attempt = grant.attempt();
        StoreId store = grant.store();
        return SqlParameters.of("resource", resource)
                .and("name", grant.name().value())
                .and("token", grant.token().value())
                .and("attempt", attempt == null ? null : attempt.value())
                .and("store", store == null ? null : store.value());
    }

    private static FenceState state(ResultSet row) throws SQLException {
        try {
            return stateOf(row);
        } catch (IllegalArgumentException e) {
            throw new TargetUnavailableException(
                    "Leasehold did not write the fence's row: " + e.getMessage()
                            + ". Nothing was written. Do not delete the row, or older tokens are admitted again: restore it from a backup",
                    e);
        }
    }

    private static FenceState stateOf(ResultSet row) throws SQLException {
        String store = row.getString(2);
        String attempt = row.getString(4);
        long once = row.getLong(5);
        return new FenceState(
                LeaseName.of(row.getString(1)),
                store == null ? null : StoreId.of(store),
                FencingToken.of(row.getLong(3)),
                attempt == null ? null : AttemptId.of(attempt),
                once == 0 ? null : FencingToken.of(once),
                row.getString(6),
                null);
    }

    static String requireResource(String resource) {
        return requirePrintable("resource", resource, MAX_RESOURCE);
    }

    static String requireOperation(String operation) {
        return requirePrintable("operation", operation, MAX_OPERATION);
    }

    private static String requirePrintable(String what, String text, int limit) {
        if (text.isEmpty() || text.length() > limit || !text.chars().allMatch(Text::isPrintable)) {
            throw new IllegalArgumentException(
                    what + " of a fence needs 1 to " + limit + " printable ASCII characters");
        }
        return text;
    }
}
