/**
 * Uses a store for a long time, in every way, and checks whether anything breaks or grows.
 *
 * <p>Several clients with several workers each play rounds on a few names. The checks hold at any
 * machine load; a lease that was lost because nothing ran for a while is counted, not reported as a
 * failure. Three times all workers are paused between two rounds, so that the resources measured
 * then are those that the process never gives back.
 */
@NullMarked
package dev.leasehold.simulator.soak;

import org.jspecify.annotations.NullMarked;
