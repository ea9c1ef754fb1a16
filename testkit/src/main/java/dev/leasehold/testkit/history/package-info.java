/**
 * Histories of one lease as concurrent clients of a real store saw it, and a check that they are
 * linearizable: that the calls could have happened one after another. Extend
 * {@link dev.leasehold.testkit.history.LinearizabilityContract}.
 */
@NullMarked
package dev.leasehold.testkit.history;

import org.jspecify.annotations.NullMarked;
