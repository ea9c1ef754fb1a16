/**
 * Leases and fences in a database that you already run: PostgreSQL, MariaDB, SQLite or H2. You
 * provide the driver and the pool.
 *
 * <p>{@link dev.leasehold.jdbc.JdbcLeaseStore} decides who may try, on its own connections. {@link
 * dev.leasehold.jdbc.JdbcFence} decides whose writes still count, inside the transaction that
 * writes: the fence's row is advanced and locked until that transaction ends, so a zombie that
 * froze between check and commit either commits before its successor begins or is refused.
 */
@NullMarked
package dev.leasehold.jdbc;

import org.jspecify.annotations.NullMarked;
