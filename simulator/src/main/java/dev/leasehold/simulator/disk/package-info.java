/**
 * A disk in memory, seen through {@code java.nio.file} as real ones are: what was not forced is lost or torn when the power is
 * cut, locks vanish with their process, and a process may stand still or die before any system call.
 */
@NullMarked
package dev.leasehold.simulator.disk;

import org.jspecify.annotations.NullMarked;
