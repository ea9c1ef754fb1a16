/**
 * Schedules: every due slot of a job ends as exactly one of ran, skipped, dropped or failed, on however many machines.
 *
 * <p>How: each job has one small record in the store's register, replaced only by compare-and-set. It holds the
 * <em>watermark</em> (every slot up to it has been dealt with), the slots that are <em>open</em> (queued or running) and the
 * latest outcomes. A machine that finds slots between the watermark and the store's time settles them: {@link
 * dev.leasehold.jobs.DueSlotPolicy} decides, one compare-and-set makes it so, and whoever loses that race reads again. A queued
 * slot is started by whoever gets the job's lease, and runs under its own work key, {@code job@instant}.
 *
 * <p>What is not guaranteed: that a slot's work happens only once. A machine may die after the work and before it could say
 * so; the slot is then run again under the same key, and a {@linkplain dev.leasehold.fence.Fence fence} or the key itself
 * makes the second time harmless.
 *
 * <p>Start with {@link dev.leasehold.jobs.Jobs}.
 */
@NullMarked
package dev.leasehold.jobs;

import org.jspecify.annotations.NullMarked;
