/** A program that uses Leasehold as a library. */
module library {
    requires dev.leasehold.jdbc;
    requires dev.leasehold.shedlock;
    requires java.sql;
    // The data source of H2 extends a type of it.
    requires java.naming;
    requires com.h2database;
}
