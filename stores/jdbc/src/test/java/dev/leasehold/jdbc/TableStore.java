package dev.leasehold.jdbc;

import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.ClocklessRegister;
import dev.leasehold.spi.ConnectedRegister;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.StoreProvider;
import dev.leasehold.store.CasLeaseStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Leases in one table of any SQL database: {@code create table leasehold (name, content, version)}. */
public final class TableStore implements ClocklessRegister, ConnectedRegister {
    private final String url;

    TableStore(String url) {
        this.url = url;
    }

    @Override
    public Reading read(String key) {
        CasRegister.requireKey(key);
        return sql("select content, version from leasehold where name = ?", List.of(key), select -> {
            ResultSet row = select.executeQuery();
            return row.next()
                    ? new Reading(Optional.of(row.getString(1)), row.getString(2), Instant.now())
                    : Reading.absent(Instant.now());
        });
    }

    /** A new version is random, so no version ever comes back, not even that of a key that was removed. */
    @Override
    public Optional<String> replace(String key, String expected, String value) {
        CasRegister.requireKey(key);
        CasRegister.requireValue(value);
        String version = UUID.randomUUID().toString();
        int changed = expected.equals(ABSENT)
                ? change("insert into leasehold (content, version, name) values (?, ?, ?)", value, version, key)
                : change(
                        "update leasehold set content = ?, version = ? where name = ? and version = ?",
                        value,
                        version,
                        key,
                        expected);
        return changed == 1 ? Optional.of(version) : Optional.empty();
    }

    @Override
    public boolean remove(String key, String expected) {
        CasRegister.requireKey(key);
        return change("delete from leasehold where name = ? and version = ?", key, expected) == 1;
    }

    /** The database must order names by their bytes. */
    @Override
    public List<String> keys(String prefix, String after, int limit) {
        String end = prefix + "\u007f";
        String text = "select name from leasehold where name > ? and name >= ? and name < ? order by name";
        return sql(text, List.of(after, prefix, end), select -> {
            select.setMaxRows(limit);
            ResultSet rows = select.executeQuery();
            List<String> names = new ArrayList<>();
            while (rows.next()) {
                names.add(rows.getString(1));
            }
            return names;
        });
    }

    @Override
    public Optional<String> atomicBecause() {
        return Optional.of("the database changes a row in one step");
    }

    @Override
    public void close() {}

    private int change(String text, String... values) {
        return sql(text, List.of(values), PreparedStatement::executeUpdate);
    }

    private interface Call<T> {
        T of(PreparedStatement statement) throws SQLException;
    }

    /** Another client was faster: nothing changed. Every other error means that the outcome is unknown. */
    @SuppressWarnings("unchecked")
    private <T> T sql(String text, List<String> values, Call<T> call) {
        try (Connection connection = DriverManager.getConnection(url);
                PreparedStatement statement = connection.prepareStatement(text)) {
            for (int i = 0; i < values.size(); i++) {
                statement.setString(i + 1, values.get(i));
            }
            return call.of(statement);
        } catch (SQLIntegrityConstraintViolationException e) {
            return (T) Integer.valueOf(0);
        } catch (SQLException e) {
            throw new StoreUnavailableException("the database did not answer: " + e.getMessage(), e);
        }
    }

    /** Opens {@code table:jdbc:...}; named in META-INF/services/dev.leasehold.spi.StoreProvider. */
    public static final class Provider implements StoreProvider {
        @Override
        public List<String> schemes() {
            return List.of("table");
        }

        @Override
        public LeaseStore open(String url) {
            return CasLeaseStore.open(new TableStore(url.substring("table:".length())), "the table leasehold");
        }

        @Override
        public LeaseStore create(String url) {
            return CasLeaseStore.over(new TableStore(url.substring("table:".length())));
        }
    }
}
