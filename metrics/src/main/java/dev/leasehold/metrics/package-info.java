/**
 * Metrics for Micrometer: what happens to the leases and jobs of this process ({@link
 * dev.leasehold.metrics.LeaseMetrics}), how long its store takes ({@link
 * dev.leasehold.metrics.MeteredStore}), and what the store says about all jobs ({@link
 * dev.leasehold.metrics.StoreMetrics}).
 *
 * <p>A skip is not a failure and is never counted as one. Names of leases are no tags unless they are
 * asked for, because a registry keeps every combination of tags for ever. A registry that fails
 * changes nothing about a lease.
 */
@NullMarked
package dev.leasehold.metrics;

import org.jspecify.annotations.NullMarked;
