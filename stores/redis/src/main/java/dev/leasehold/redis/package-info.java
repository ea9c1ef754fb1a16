/**
 * Leases in Redis 6.2 and later, one script per step, and fences for values in Redis.
 *
 * <p>Every step is one Lua script, so it is atomic and judged by the server's clock. All keys of a
 * namespace have the same hash tag, so they are on one node of a cluster.
 *
 * <p><strong>What Redis does not guarantee.</strong> It acknowledges a grant before the grant is
 * safe, unless it runs with {@code appendonly yes} and {@code appendfsync always}, and a promoted
 * replica may not have received the grant. Either way a token can be issued twice. {@link
 * dev.leasehold.redis.RedisLeaseStore#warnings()} reports whether that can happen; a fence detects
 * it and refuses, and {@code leasehold repair} raises the counter.
 */
@NullMarked
package dev.leasehold.redis;

import org.jspecify.annotations.NullMarked;
