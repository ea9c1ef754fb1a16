/**
 * A simulator of the whole protocol: the real engine in virtual time, with one seed deciding who moves next and what goes
 * wrong. The same seed gives the same history, byte for byte.
 */
@NullMarked
package dev.leasehold.simulator;

import org.jspecify.annotations.NullMarked;
