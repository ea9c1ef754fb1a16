/**
 * The words of the protocol as validated values and sealed results.
 *
 * <p>Nothing here acts: no clock, no I/O, no threads. A value that exists is valid, so the rest of the code never checks
 * twice. The {@linkplain dev.leasehold.model.FencingToken token} is the only authority; a {@linkplain
 * dev.leasehold.model.Holder holder} is for people to read and is never compared to decide anything.
 */
@NullMarked
package dev.leasehold.model;

import org.jspecify.annotations.NullMarked;
