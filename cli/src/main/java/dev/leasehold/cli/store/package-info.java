/** Commands that test a store and the protocol. */
@NullMarked
package dev.leasehold.cli.store;

import org.jspecify.annotations.NullMarked;
