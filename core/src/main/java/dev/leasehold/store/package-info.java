/**
 * The built-in stores, and the rules they share.
 *
 * <p>{@link dev.leasehold.store.SteppedLeaseStore} turns every operation into a pure transition of one record ({@code
 * LeaseRules}); a store only has to apply such a transition atomically. The memory store does so in a map, the file store
 * under a file lock, and {@link dev.leasehold.store.CasLeaseStore} by compare-and-set.
 */
@NullMarked
package dev.leasehold.store;

import org.jspecify.annotations.NullMarked;
