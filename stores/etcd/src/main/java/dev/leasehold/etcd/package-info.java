/**
 * Leases in etcd. A record is one key, its version is the key's mod revision, and each step is one transaction that
 * compares it. etcd decides transactions by consensus, so a step is atomic among all members of the cluster.
 *
 * <p>etcd has no clock that a transaction could ask, so leases end by observed time, see {@link
 * dev.leasehold.spi.ClocklessRegister}. etcd's own leases are not used: they would remove the counter together with its
 * holder.
 *
 * <p>The client speaks JSON to the gateway that every etcd server has since version 3.4, so it needs no library.
 */
@NullMarked
package dev.leasehold.etcd;

import org.jspecify.annotations.NullMarked;
