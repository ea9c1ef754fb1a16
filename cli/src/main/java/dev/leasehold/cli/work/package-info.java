/** Commands for work items, each of which is completed once, and for their effects. */
@NullMarked
package dev.leasehold.cli.work;

import org.jspecify.annotations.NullMarked;
