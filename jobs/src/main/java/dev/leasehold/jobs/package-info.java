/**
 * Scheduled jobs: every due slot of a job ends as exactly one of ran, skipped, dropped or failed,
 * on any number of machines.
 *
 * <p>Each job has one small record in the store's register, which is replaced only by
 * compare-and-set. It holds the <em>watermark</em> (every slot up to it is decided), the
 * <em>open</em> slots (queued or running) and the latest outcomes. Each machine makes a pass over
 * each job when something is due. The pass decides the slots between the watermark and the store's
 * time by {@link dev.leasehold.jobs.DueSlotPolicy} and writes the decision with one
 * compare-and-set; a machine that loses the race reads the record again. The machine that gets the
 * job's lease starts the next queued slot, which runs under its own work key, {@code job@instant}.
 *
 * <p>It is not guaranteed that a slot's work happens only once. A machine may die after the work
 * and before it recorded the end. The slot then runs again under the same key, and a {@linkplain
 * dev.leasehold.fence.Fence fence} or the key makes the repetition harmless.
 *
 * <p>Start with {@link dev.leasehold.jobs.Jobs}.
 */
@NullMarked
package dev.leasehold.jobs;

import org.jspecify.annotations.NullMarked;
