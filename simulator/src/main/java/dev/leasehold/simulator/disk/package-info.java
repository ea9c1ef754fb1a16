/**
 * A disk in memory, accessed through {@code java.nio.file} like a real one: data that was not
 * synced is lost or torn when the power is cut, locks vanish with their process, and a process may
 * pause or die before any system call.
 */
@NullMarked
package dev.leasehold.simulator.disk;

import org.jspecify.annotations.NullMarked;
