/**
 * A simulator of the whole protocol: the real engine in virtual time. One seed decides which
 * process runs next and which faults occur. The same seed gives the same history, byte for byte.
 */
@NullMarked
package dev.leasehold.simulator;

import org.jspecify.annotations.NullMarked;
