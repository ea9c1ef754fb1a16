/** A program that uses Leasehold as a library. */
module library {
    requires dev.leasehold.jdbc;
    requires dev.leasehold.shedlock;
    requires java.sql;
    requires com.h2database;
}
