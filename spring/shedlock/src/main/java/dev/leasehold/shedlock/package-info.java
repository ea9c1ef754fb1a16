/**
 * Leasehold under ShedLock: {@link dev.leasehold.shedlock.LeaseholdLockProvider} takes the place of
 * another {@code LockProvider}, and the annotations of the application stay as they are.
 *
 * <p>A lock is a lease. {@code lockAtMostFor} is its ttl, {@code lockAtLeastFor} its minimum hold, and
 * an extension is a renewal. Each lock has a token that is higher than all tokens of the same name
 * before it, so a target with a fence refuses a task that outlived its lock. ShedLock alone cannot:
 * its lock only decides who may start.
 */
@NullMarked
package dev.leasehold.shedlock;

import org.jspecify.annotations.NullMarked;
