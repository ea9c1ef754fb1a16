/**
 * A simulator of the whole protocol: the real engine in virtual time, with one seed that decides
 * who moves next and what fails. The same seed gives the same history, byte for byte.
 */
@NullMarked
package dev.leasehold.simulator;

import org.jspecify.annotations.NullMarked;
