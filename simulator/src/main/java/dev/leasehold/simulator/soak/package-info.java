/**
 * Uses a store for long, in all the ways there are, and looks whether anything breaks or grows.
 *
 * <p>Several clients with several workers each play rounds on a few names. What a round checks holds whatever the machine's
 * load is; a lease that was lost because nothing ran for a while is counted, not complained about. Three times all workers
 * are held between two rounds, so that what the process needs then is what it never gives back.
 */
@NullMarked
package dev.leasehold.simulator.soak;

import org.jspecify.annotations.NullMarked;
