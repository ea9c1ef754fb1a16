package dev.leasehold.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.Leases;
import dev.leasehold.jdbc.JdbcLeaseStore;
import dev.leasehold.model.LeaseTerms;
import java.util.Random;
import java.util.function.Function;

/** Whether it matters how many names a table has seen: names picked at random from a few, and from a million. */
final class PostgresManyRecords {
    private static final int FEW = 1_000;
    private static final int MANY = 1_000_000;

    private final Function<String, HikariDataSource> poolOf;
    private final Targets targets;
    private final Random random = new Random(3);

    PostgresManyRecords(Function<String, HikariDataSource> poolOf, Targets targets) {
        this.poolOf = poolOf;
        this.targets = targets;
    }

    void run() throws Exception {
        try (HikariDataSource few = filled("few", FEW);
                HikariDataSource many = filled("many", MANY);
                Leases amongFew = open(few);
                Leases amongMany = open(many)) {
            Measurement outcome = new Comparison("PostgreSQL, acquire + release of a random name", 200, 40)
                    .add("of 1,000 records", times -> pairs(amongFew, FEW, times))
                    .add("of 1,000,000 records", times -> pairs(amongMany, MANY, times))
                    .run();
            targets.atMost(
                    "PostgreSQL acquire with 1,000,000 records against 1,000",
                    1.2,
                    outcome.speed("of 1,000 records", "of 1,000,000 records"));
        }
    }

    private static Leases open(HikariDataSource pool) {
        return Leases.over(JdbcLeaseStore.open(pool))
                .terms(LeaseTerms.ofTtl(PostgresLocks.TTL))
                .build();
    }

    private HikariDataSource filled(String schema, int records) throws Exception {
        HikariDataSource pool = poolOf.apply(schema);
        PostgresBench.execute(pool, "create schema " + schema);
        try (Leases leases = open(pool)) {
            AcquireRelease.leasehold(leases).acquireAndRelease(name(0));
        }
        // Every other row is a copy of the first one, whatever columns it has.
        PostgresBench.execute(
                pool,
                "create temporary table one as select * from leasehold_lease",
                "insert into leasehold_lease select (jsonb_populate_record(null::leasehold_lease, to_jsonb(one)"
                        + " || jsonb_build_object('name', 'bench/many-' || i))).* from one, generate_series(1, "
                        + (records - 1) + ") i",
                "vacuum (analyze) leasehold_lease",
                "checkpoint");
        return pool;
    }

    private void pairs(Leases leases, int records, int times) throws Exception {
        AcquireRelease pair = AcquireRelease.leasehold(leases);
        for (int i = 0; i < times; i++) {
            pair.acquireAndRelease(name(random.nextInt(records)));
        }
    }

    private static String name(int number) {
        return "bench/many-" + number;
    }
}
