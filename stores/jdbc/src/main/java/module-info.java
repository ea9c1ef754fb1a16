/** The store and the fences in a SQL database. */
module dev.leasehold.jdbc {
    requires static org.jspecify;
    requires transitive dev.leasehold;
    requires transitive java.sql;
    // Only a completion in the caller's transaction needs the ledger.
    requires transitive dev.leasehold.work;
    // The application brings the driver of its database.
    requires static org.postgresql.jdbc;

    exports dev.leasehold.jdbc;

    provides dev.leasehold.spi.StoreProvider with
            dev.leasehold.jdbc.JdbcStoreProvider;
}
