/**
 * Real processes that compete for one lease and rewrite one target, and a nemesis that freezes and
 * kills them, changes their wall clocks, cuts their connections and kills the server of the store.
 * Extend {@link dev.leasehold.testkit.nemesis.NemesisContract}.
 */
@NullMarked
package dev.leasehold.testkit.nemesis;

import org.jspecify.annotations.NullMarked;
