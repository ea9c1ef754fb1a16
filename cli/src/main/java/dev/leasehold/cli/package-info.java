/** The command line: one class per command. It contains no rules of the protocol. */
@NullMarked
package dev.leasehold.cli;

import org.jspecify.annotations.NullMarked;
