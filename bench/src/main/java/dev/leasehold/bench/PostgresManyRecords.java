package dev.leasehold.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.Leases;
import dev.leasehold.jdbc.JdbcLeaseStore;
import dev.leasehold.model.LeaseTerms;
import java.util.function.Function;

/** Fills schemas with few and with many records. */
final class PostgresManyRecords {
    private final Function<String, HikariDataSource> poolOf;
    private final Targets targets;

    PostgresManyRecords(Function<String, HikariDataSource> poolOf, Targets targets) {
        this.poolOf = poolOf;
        this.targets = targets;
    }

    void run() throws Exception {
        try (HikariDataSource few = filled("few", ManyRecords.FEW);
                HikariDataSource many = filled("many", ManyRecords.MANY);
                Leases amongFew = open(few);
                Leases amongMany = open(many)) {
            new ManyRecords().compare("PostgreSQL", 200, 40, amongFew, amongMany, targets);
        }
    }

    private static Leases open(HikariDataSource pool) {
        return Leases.over(JdbcLeaseStore.create(pool))
                .terms(LeaseTerms.ofTtl(PostgresLocks.TTL))
                .build();
    }

    private HikariDataSource filled(String schema, int records) throws Exception {
        HikariDataSource pool = poolOf.apply(schema);
        PostgresBench.execute(pool, "create schema " + schema);
        try (Leases leases = open(pool)) {
            AcquireRelease.leasehold(leases).acquireAndRelease(ManyRecords.NAME_PREFIX + 0);
        }
        // Every other row is a copy of the first one, whatever its columns.
        PostgresBench.execute(
                pool,
                "create temporary table one as select * from leasehold_lease where name <> ''",
                "insert into leasehold_lease select (jsonb_populate_record(null::leasehold_lease, to_jsonb(one)"
                        + " || jsonb_build_object('name', 'bench/many-' || i))).* from one, generate_series(1, "
                        + (records - 1) + ") i",
                "vacuum (analyze) leasehold_lease",
                "checkpoint");
        return pool;
    }
}
