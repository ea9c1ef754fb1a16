/** Trying a store: whether it can be relied on, and for long. */
@NullMarked
package dev.leasehold.cli.store;

import org.jspecify.annotations.NullMarked;
