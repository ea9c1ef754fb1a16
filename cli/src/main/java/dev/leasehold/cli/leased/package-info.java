/** A command that runs while its lease is held, whoever started it: run, a schedule, a delivery. */
@NullMarked
package dev.leasehold.cli.leased;

import org.jspecify.annotations.NullMarked;
