/**
 * Work that must be completed once: each key under a lease name is completed by one run.
 *
 * <p>A lease prevents two runs at the same time. It does not prevent a later retry from doing the
 * same work again after a run died half-way. The {@linkplain dev.leasehold.work.WorkLedger ledger}
 * does: it records the state of each key in the store's register.
 *
 * <pre>
 *   (absent) or open ── claim ──▶ running ── complete ──▶ done: not run again, returns its result
 *                                  │   ▲
 *                                  │   └── claim by the next owner of the lease: epoch + 1, with the last checkpoint
 *                                  └── fail ──▶ failed ── claim ──▶ running
 * </pre>
 *
 * <p>Every claim raises the item's <em>epoch</em>. Checkpoint, complete and fail count only with
 * the epoch of their claim, so a run that was replaced cannot complete the item, and its effects
 * are not stored.
 *
 * <p>It is <em>not</em> guaranteed that the work starts only once. A run can die after its last
 * write and before its completion, and the next run resumes the work. Make the write under a
 * {@linkplain dev.leasehold.fence.Fence fence}, or complete the item in the same SQL transaction.
 */
@NullMarked
package dev.leasehold.work;

import org.jspecify.annotations.NullMarked;
