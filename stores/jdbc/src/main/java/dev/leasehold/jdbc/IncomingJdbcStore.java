package dev.leasehold.jdbc;

import dev.leasehold.internal.SystemIds;
import dev.leasehold.internal.TransferText;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.IncomingStore;
import dev.leasehold.spi.LeaseStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A database that is filled with the content of another store, in one transaction. */
final class IncomingJdbcStore implements IncomingStore {
    private static final NamedSql REMOVE_LEASE = new NamedSql("delete from leasehold_lease where name = :name");
    private static final NamedSql REMOVE_HISTORY = new NamedSql("delete from leasehold_history where name = :name");

    private final Database database;
    private final Connection connection;
    private final StoreId id;
    private final CasRegister register;
    private final NamedSql insertLease;
    private final NamedSql insertHistory;

    private IncomingJdbcStore(Database database, Connection connection, StoreId id) {
        this.database = database;
        this.connection = connection;
        this.id = id;
        Dialect dialect = database.dialect();
        this.register = new FillingRegister(dialect);
        this.insertLease = new NamedSql("insert into leasehold_lease (" + LeaseRow.COLUMNS + dialect.ownColumns()
                + ") values (:name, :token, :attempt, :holder, :reason, :note, :acquired, :deadline, :term, :released,"
                + " :seen, nullif(:progress_at, 0), :progress_note, :checkpoint" + dialect.ownValues() + ")");
        this.insertHistory = new NamedSql(dialect.insertHistory());
    }

    static IncomingJdbcStore start(Database database, StoreId id) {
        Schema.requireNoStore(database);
        Schema.prepare(database);
        return new IncomingJdbcStore(database, database.connectForTransaction(), id);
    }

    @Override
    public CasRegister register() {
        return register;
    }

    @Override
    public void put(LeaseRecord record, List<Transfer> history) {
        List<Transfer> kept = history.subList(0, Math.min(LeaseStore.HISTORY_KEPT, history.size()));
        run(() -> {
            SqlParameters name = SqlParameters.of("name", record.name().value());
            Database.changes(connection, REMOVE_LEASE, name);
            if (!database.dialect().historyInRow()) {
                Database.changes(connection, REMOVE_HISTORY, name);
            }
            Database.changes(connection, insertLease, lease(record, kept));
            if (!database.dialect().historyInRow()) {
                insertHistory(connection, record, kept);
            }
        });
    }

    @Override
    public void raiseFloor(long floor) {
        run(() -> new FloorRow(database, TableNames.LIVE).raise(connection, floor));
    }

    /** The register in the transaction, with failures as a store reports them. */
    private final class FillingRegister implements CasRegister {
        private final TransactionRegister register;

        FillingRegister(Dialect dialect) {
            this.register = new TransactionRegister(connection, dialect, new SystemIds());
        }

        @Override
        public Reading read(String key) {
            try {
                return register.read(key);
            } catch (TransactionRegister.Failure e) {
                throw failed(e.reason());
            }
        }

        @Override
        public boolean compareAndSet(String key, String expected, String value) {
            try {
                return register.compareAndSet(key, expected, value);
            } catch (TransactionRegister.Failure e) {
                throw failed(e.reason());
            }
        }

        @Override
        public List<String> keys(String prefix, String after, int limit) {
            return register.keys(prefix, after, limit);
        }
    }

    private StoreUnavailableException failed(SQLException e) {
        return SqlFailures.failed(
                database.dialect().product(), database.dialect().provesThatNothingHappened(e), e);
    }

    private interface Statements {
        void run() throws SQLException;
    }

    private void run(Statements statements) {
        try {
            statements.run();
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    private static SqlParameters lease(LeaseRecord record, List<Transfer> history) {
        StringBuilder lines = new StringBuilder();
        for (Transfer transfer : history) {
            lines.append(lines.isEmpty() ? "" : "\n").append(TransferText.format(transfer));
        }
        LeaseRecord.Progress progress = record.progress();
        return transfer(record, record.owner())
                .and("deadline", LeaseRow.micros(record.deadline()))
                .andMicros("term", record.term())
                .and("released", record.released())
                .and("seen", LeaseRow.micros(record.seen()))
                .and("progress_at", progress == null ? 0L : LeaseRow.micros(progress.at()))
                .and("progress_note", progress == null ? null : text(progress.note()))
                .and("checkpoint", progress == null ? null : text(progress.checkpoint()))
                .and("history", lines.toString())
                .and("transfers", (long) history.size());
    }

    private void insertHistory(Connection connection, LeaseRecord record, List<Transfer> history) throws SQLException {
        for (int i = 0; i < history.size(); i++) {
            long slot = Math.floorMod(history.size() - i, LeaseStore.HISTORY_KEPT);
            Database.changes(
                    connection, insertHistory, transfer(record, history.get(i)).and("slot", slot));
        }
    }

    private static SqlParameters transfer(LeaseRecord record, Transfer transfer) {
        return SqlParameters.of("name", record.name().value())
                .and("token", transfer.token().value())
                .and("attempt", transfer.attempt().value())
                .and("holder", transfer.holder().value())
                .and("reason", transfer.reason().word())
                .and("note", text(transfer.note()))
                .and("acquired", LeaseRow.micros(transfer.at()));
    }

    private static @Nullable String text(@Nullable Object value) {
        return value == null ? null : value.toString();
    }

    /** Another store that is created here at the same time has the same key, so only one of them commits. */
    @Override
    public void prepare() {
        run(() -> Schema.insertId(connection, id));
    }

    @Override
    public void complete() {
        run(connection::commit);
    }

    /** What was put is undone, unless it was committed. */
    @Override
    public void close() {
        database.connections().discard(connection);
        database.close();
    }
}
