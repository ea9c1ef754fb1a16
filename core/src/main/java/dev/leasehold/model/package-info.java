/**
 * The terms of the protocol, as validated values and sealed results.
 *
 * <p>There is no clock, no I/O and no thread here. Values are validated when they are created, so
 * the rest of the code does not check them again. The {@linkplain dev.leasehold.model.FencingToken
 * token} is the only authority; a {@linkplain dev.leasehold.model.Holder holder} is for people to
 * read and never decides anything.
 */
@NullMarked
package dev.leasehold.model;

import org.jspecify.annotations.NullMarked;
