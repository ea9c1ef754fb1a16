/**
 * Work that must happen once in effect: one key under a lease name ends as one artifact.
 *
 * <p>A lease keeps two runs from being at work at once. It does not keep the same work from being done twice with a gap, by a
 * retry after a run that died half-way. The {@linkplain dev.leasehold.work.WorkLedger ledger} does: it remembers what became
 * of each key, in the store's own register.
 *
 * <pre>
 *   (absent) or open ── claim ──▶ running ── complete ──▶ done: not run again, hands back its result
 *                                  │   ▲
 *                                  │   └── claim by the next owner of the lease: epoch + 1, with the last checkpoint
 *                                  └── fail ──▶ failed ── claim ──▶ running
 * </pre>
 *
 * <p>Every claim raises the item's <em>epoch</em>; checkpoint, complete and fail count only under the epoch they were claimed
 * with. A run that was replaced can therefore complete nothing, and its follow-up effects are not stored.
 *
 * <p>What is <em>not</em> guaranteed: that the work itself is not begun twice. A run can die after its last write and before
 * its completion; the next one resumes. Make the write under a {@linkplain dev.leasehold.fence.Fence fence}, or complete in
 * the same SQL transaction.
 */
@NullMarked
package dev.leasehold.work;

import org.jspecify.annotations.NullMarked;
