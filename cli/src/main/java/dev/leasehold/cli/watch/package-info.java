/** The commands that tell people when something is wrong. */
@NullMarked
package dev.leasehold.cli.watch;

import org.jspecify.annotations.NullMarked;
