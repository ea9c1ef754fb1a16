/**
 * Fenced transactions: a transaction that began under a lease which has been superseded cannot
 * commit.
 *
 * <p>A {@link dev.leasehold.spring.tx.LeaseScope} says under which grant the current thread works.
 * {@link dev.leasehold.spring.tx.FencedTransactions} listens to transaction managers. Before a
 * transaction begins, it raises the fence of every grant in scope, on a connection of its own, so
 * that what the transaction reads cannot be overwritten by an older run. Before the transaction
 * commits, after everything was flushed, it asks the fence on the connection of the transaction
 * itself. A refusal is a {@link dev.leasehold.spring.tx.StaleLeaseException}, and the transaction
 * rolls back.
 *
 * <p>Only transactions are fenced. A statement that runs outside of one commits by itself and asks
 * nobody. A lease that has lapsed without a successor still commits: nobody else has written.
 */
@NullMarked
package dev.leasehold.spring.tx;

import org.jspecify.annotations.NullMarked;
