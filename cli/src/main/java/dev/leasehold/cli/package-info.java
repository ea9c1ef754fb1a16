/** The command line: one class per command, no rules of its own. */
@NullMarked
package dev.leasehold.cli;

import org.jspecify.annotations.NullMarked;
