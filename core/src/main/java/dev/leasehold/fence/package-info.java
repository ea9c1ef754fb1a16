/**
 * Targets that check the token at the moment of the write.
 *
 * <p>A fence remembers the highest token it has been shown. {@code raise} it when work starts, before the first read: from
 * then on older tokens are refused. Check and write are one atomic step against every other Leasehold writer; a program
 * that writes without asking the fence is not stopped by it. A target that cannot check gets a {@link
 * dev.leasehold.fence.BestEffortGate}, whose name says that a window remains, or a {@link dev.leasehold.work.SideEffect},
 * which also remembers what was begun.
 */
@NullMarked
package dev.leasehold.fence;

import org.jspecify.annotations.NullMarked;
