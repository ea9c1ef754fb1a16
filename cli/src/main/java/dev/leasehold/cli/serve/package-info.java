/** Offering a store to programs that are not Java. */
@NullMarked
package dev.leasehold.cli.serve;

import org.jspecify.annotations.NullMarked;
