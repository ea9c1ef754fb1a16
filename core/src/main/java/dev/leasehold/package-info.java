/**
 * Leasehold: leases with fencing tokens, so that a job does not run twice and a stale run cannot
 * overwrite newer work.
 *
 * <p>Leases alone do <em>not</em> guarantee that a holder stops in time. A holder can stall
 * (garbage collection, a sleeping laptop, a frozen sandbox), lose its lease without noticing, and
 * continue when it wakes up. A lease decides who may try. Only a {@linkplain
 * dev.leasehold.fence.Fence fence} at the target decides whose writes count:
 *
 * <pre>
 *   A  acquires, token 7 ── reads ── stalls ················ wakes ── writes with 7 ──▶ refused: the target has seen 8
 *   B                          (A's ttl passes) acquires, token 8 ── raises the target ── writes with 8
 * </pre>
 *
 * <p>Start with {@link dev.leasehold.Leases}.
 */
@NullMarked
package dev.leasehold;

import org.jspecify.annotations.NullMarked;
