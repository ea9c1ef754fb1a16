/**
 * The door of a service: {@link dev.leasehold.servlet.GrantFilter} reads the header {@code
 * Leasehold-Grant}, and {@link dev.leasehold.servlet.GuardedRequest} carries the grant to the
 * transaction that writes.
 *
 * <p>A check at the door and a write behind it are two steps. A request that is paused between them
 * writes late. Only a check in the transaction of the write closes this window; the check at the door
 * refuses early, and spares the work.
 */
@NullMarked
package dev.leasehold.servlet;

import org.jspecify.annotations.NullMarked;
