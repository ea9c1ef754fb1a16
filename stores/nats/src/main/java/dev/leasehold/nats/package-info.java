/**
 * Leases in a key-value bucket of NATS. A record is one key, its version is the key's revision, and each step is one
 * message that names the revision which it replaces. The leader of the bucket's stream decides.
 *
 * <p>NATS has no clock that such a message could ask, so leases end by observed time, see {@link
 * dev.leasehold.spi.ClocklessRegister}. The bucket has no ttl: it would take the counter along with the holder.
 */
@NullMarked
package dev.leasehold.nats;

import org.jspecify.annotations.NullMarked;
