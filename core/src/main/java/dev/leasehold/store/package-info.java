/**
 * The built-in stores.
 *
 * <p>Every operation is a pure transition of one record, which a store applies atomically: the
 * memory store in a map, the file store under a file lock, and {@link
 * dev.leasehold.store.CasLeaseStore} by compare-and-set.
 */
@NullMarked
package dev.leasehold.store;

import org.jspecify.annotations.NullMarked;
