/**
 * Targets that check the token at the moment of the write.
 *
 * <p>A fence remembers the highest token that it has seen. Call {@code raise} when work
 * starts, before the first read: from then on the target refuses older tokens. Check and
 * write are one atomic step against every other Leasehold writer. A program that writes the
 * target without the fence is not stopped. For targets that cannot check a token there is
 * {@link dev.leasehold.fence.BestEffortGate}.
 */
@NullMarked
package dev.leasehold.fence;

import org.jspecify.annotations.NullMarked;
