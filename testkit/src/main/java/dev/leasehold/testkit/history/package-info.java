/**
 * Histories of one lease, as concurrent clients of a real store saw it, and the question whether they could have come about one
 * call after another. Extend {@link dev.leasehold.testkit.history.LinearizabilityContract}.
 */
@NullMarked
package dev.leasehold.testkit.history;

import org.jspecify.annotations.NullMarked;
