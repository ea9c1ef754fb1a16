/** The log of runs, which the store keeps, and advice derived from it. */
@NullMarked
package dev.leasehold.cli.runlog;

import org.jspecify.annotations.NullMarked;
