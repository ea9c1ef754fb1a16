/**
 * Tests that try to break the file store and fenced files with real processes: killed between any
 * two system calls, frozen inside a step, racing each other, on full and read-only disks, over
 * damaged records.
 *
 * <p>{@link dev.leasehold.crash.ActorProcess} starts a child JVM that executes commands.
 * {@link dev.leasehold.crash.Strace} stops or kills it at a chosen system call, without any change
 * to production code.
 */
package dev.leasehold.crash;
