/**
 * A command that runs while a lease is held: for {@code run}, for a slot of a schedule, for a
 * delivery.
 */
@NullMarked
package dev.leasehold.cli.leased;

import org.jspecify.annotations.NullMarked;
