package dev.leasehold.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Lock;
import javax.sql.DataSource;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/** Other libraries' locks in PostgreSQL, and a minimal lock. */
final class PostgresLocks {
    static final Duration TTL = Duration.ofSeconds(90);

    /** The limit: the least that a lock with a counter needs, one prepared statement per step. */
    private static final String ACQUIRE = "insert into plain_lock as l (name, token, deadline, holder)"
            + " values (?, 1, clock_timestamp() + interval '90 seconds', ?) on conflict (name) do update"
            + " set token = l.token + 1, deadline = excluded.deadline, holder = excluded.holder"
            + " where l.deadline <= clock_timestamp() returning token";

    private static final String RELEASE =
            "update plain_lock set deadline = clock_timestamp() where name = ? and token = ?";

    /** Does not wait for the disk, which Leasehold's release does not do either. */
    private static final String GIVE_BACK_NOT_SYNCED =
            RELEASE + " and set_config('synchronous_commit', 'off', true) is not null";

    /** The limit plus holder, reason and time, and a row of history. */
    private static final String ACQUIRE_WITH_HISTORY =
            "with step as (insert into wide_lock as l (name, token, deadline, holder, attempt, reason, acquired, released)"
                    + " values (?, 1, clock_timestamp() + interval '90 seconds', ?, 'an attempt of the usual length',"
                    + " 'first', clock_timestamp(), false) on conflict (name) do update"
                    + " set token = l.token + 1, deadline = excluded.deadline, holder = excluded.holder,"
                    + " attempt = excluded.attempt, acquired = excluded.acquired, released = false,"
                    + " reason = case when l.released then 'released' else 'expired' end"
                    + " where l.deadline <= clock_timestamp() returning name, token, holder, attempt, reason, acquired)"
                    + " insert into wide_history select name, token, holder, attempt, reason, acquired from step"
                    + " returning token";

    private static final String GIVE_BACK_WIDE =
            "update wide_lock set deadline = clock_timestamp(), released = true where name = ? and token = ?";

    private static final String[] TABLES = {
        "create table wide_lock (name varchar(200) primary key, token bigint not null, deadline timestamptz not null,"
                + " holder varchar(200) not null, attempt varchar(64) not null, reason varchar(20) not null,"
                + " acquired timestamptz not null, released boolean not null)",
        "create table wide_history (name varchar(200) not null, token bigint not null, holder varchar(200) not null,"
                + " attempt varchar(64) not null, reason varchar(20) not null, acquired timestamptz not null)",
        "create index on wide_history (name, token)",
        "create table plain_lock (name varchar(200) primary key, token bigint not null, deadline timestamptz not null,"
                + " holder varchar(200) not null)",
        "create table shedlock (name varchar(64) primary key, lock_until timestamp not null,"
                + " locked_at timestamp not null, locked_by varchar(255) not null)",
        "create table int_lock (lock_key char(36) not null, region varchar(100) not null, client_id char(36),"
                + " created_date timestamp not null, expired_after timestamp not null,"
                + " constraint int_lock_pk primary key (lock_key, region))"
    };

    private PostgresLocks() {}

    /** As each project publishes them. */
    static void createTables(DataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            for (String table : TABLES) {
                statement.execute(table);
            }
        }
    }

    static AcquireRelease plain(DataSource pool) {
        return name -> giveBack(pool, RELEASE, name, take(pool, ACQUIRE, name));
    }

    static AcquireRelease plainReleaseNotSynced(DataSource pool) {
        return name -> giveBack(pool, GIVE_BACK_NOT_SYNCED, name, take(pool, ACQUIRE, name));
    }

    static AcquireRelease plainWithHistory(DataSource pool) {
        return name -> giveBack(pool, GIVE_BACK_WIDE, name, take(pool, ACQUIRE_WITH_HISTORY, name));
    }

    private static long take(DataSource pool, String sql, String name) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, name);
            statement.setString(2, "somehost-4711-c0ffee");
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw new IllegalStateException(name + " is busy");
                }
                return row.getLong(1);
            }
        }
    }

    private static void giveBack(DataSource pool, String sql, String name, long token) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, name);
            statement.setLong(2, token);
            if (statement.executeUpdate() != 1) {
                throw new IllegalStateException(name + " was lost");
            }
        }
    }

    static AcquireRelease shedLock(DataSource pool) {
        JdbcTemplateLockProvider provider =
                new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                        .withJdbcTemplate(new JdbcTemplate(pool))
                        .usingDbTime()
                        .build());
        return name -> provider.lock(new LockConfiguration(Instant.now(), name, TTL, Duration.ZERO))
                .orElseThrow()
                .unlock();
    }

    static AcquireRelease springIntegration(DataSource pool) {
        DefaultLockRepository repository = new DefaultLockRepository(pool);
        repository.setTransactionManager(new DataSourceTransactionManager(pool));
        repository.afterPropertiesSet();
        repository.afterSingletonsInstantiated();
        JdbcLockRegistry registry = new JdbcLockRegistry(repository);
        return name -> {
            // Not tryLock(), which returns false if a transaction of another thread interfered, for
            // any name.
            Lock lock = registry.obtain(name);
            lock.lock();
            try {
                // The critical section is empty: only acquire and release are measured.
            } finally {
                lock.unlock();
            }
        };
    }
}
