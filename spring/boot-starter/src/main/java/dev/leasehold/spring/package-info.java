/**
 * Leases for Spring beans: {@link dev.leasehold.spring.Leased} on a method. Inside it, {@code
 * dev.leasehold.spring.tx.CurrentLease} is the lease.
 */
@NullMarked
package dev.leasehold.spring;

import org.jspecify.annotations.NullMarked;
