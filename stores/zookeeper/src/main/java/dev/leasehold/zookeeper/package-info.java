/**
 * Leases in ZooKeeper. A record is the data of one persistent znode, and each step is one versioned write. ZooKeeper orders all
 * writes, so a step is atomic among all members of the ensemble.
 *
 * <p>The version of a znode starts again when the znode is removed and created. So each life of a key has a random name,
 * which is the data of the znode of the key; the value is in a znode of this name below it. A write of an earlier life finds
 * no znode.
 *
 * <p>ZooKeeper has no clock that a write could ask, so leases end by observed time, see {@link
 * dev.leasehold.spi.ClocklessRegister}. Ephemeral znodes are not used: they end with a session, which says nothing about
 * the trust of a holder.
 */
@NullMarked
package dev.leasehold.zookeeper;

import org.jspecify.annotations.NullMarked;
