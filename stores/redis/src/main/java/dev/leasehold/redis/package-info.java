/**
 * Leases in Redis 6.2 and later, one script a step, and fences for values that are kept there.
 *
 * <p>Every step is one Lua script, so it is atomic and judged by the server's own clock. All keys of a namespace carry one
 * hash tag and so live on one node of a cluster.
 *
 * <p><strong>What Redis does not guarantee.</strong> It acknowledges a grant before the grant is safe, unless it runs with
 * {@code appendonly yes} and {@code appendfsync always}, and a replica that is promoted may not have seen it at all. Either
 * way a token can be issued twice. {@link dev.leasehold.redis.RedisLeaseStore#warnings()} says whether that can happen here;
 * a fence notices it and refuses, and {@code leasehold repair} lifts the counter.
 */
@NullMarked
package dev.leasehold.redis;

import org.jspecify.annotations.NullMarked;
